import { createAdminRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';
import { changeWebhook } from '#lib/site/notifications/webhooks/admin-actions.ts';

/** Tests, pauses, resumes, rotates or removes a webhook: `POST /admin/webhooks/{id}/change`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminRoute(
  getServices,
  changeWebhook,
);
