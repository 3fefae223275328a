import { revokeKey } from '#lib/admin/actions.ts';
import { createAdminRoute } from '#lib/members/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** Revokes any key: `POST /admin/keys/{id}/revoke`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminRoute(
  getServices,
  revokeKey,
);
