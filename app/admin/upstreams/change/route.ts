import { changeUpstream } from '#lib/accounts/admin/actions.ts';
import { createAdminRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** Drops what a model has taught of a field: `POST /admin/upstreams/change`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminRoute(
  getServices,
  changeUpstream,
);
