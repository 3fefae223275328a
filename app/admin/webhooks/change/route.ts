import { createAdminRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';
import { createWebhook } from '#lib/site/notifications/webhooks/admin-actions.ts';

/** Creates a webhook: `POST /admin/webhooks/change`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminRoute(
  getServices,
  createWebhook,
);
