import { changeMember } from '#lib/accounts/admin/actions.ts';
import { createAdminRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** Disables or enables a member, or sets their group or budget: `POST /admin/members/{id}/change`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminRoute(
  getServices,
  changeMember,
);
