import { changeGroup } from '#lib/accounts/admin/actions.ts';
import { createAdminRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** Creates a group, sets its budget or removes it: `POST /admin/groups/change`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminRoute(
  getServices,
  changeGroup,
);
