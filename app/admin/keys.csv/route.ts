import { keys } from '#lib/accounts/admin/key-list.ts';
import { createAdminListRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** Keys as CSV, as the page of them asks for it: `GET /admin/keys.csv`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminListRoute(
  getServices,
  keys,
);
