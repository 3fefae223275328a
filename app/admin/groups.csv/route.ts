import { groups } from '#lib/accounts/admin/group-list.ts';
import { createAdminListRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** Groups as CSV, as the page of them asks for it: `GET /admin/groups.csv`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminListRoute(
  getServices,
  groups,
);
