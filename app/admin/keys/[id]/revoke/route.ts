import { revokeKey } from '#lib/accounts/admin/actions.ts';
import { createAdminRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** Revokes any key: `POST /admin/keys/{id}/revoke`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminRoute(
  getServices,
  revokeKey,
);
