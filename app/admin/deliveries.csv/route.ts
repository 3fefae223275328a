import { deliveries } from '#lib/accounts/admin/delivery-list.ts';
import { createAdminListRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** Deliveries as CSV, as the page of them asks for it: `GET /admin/deliveries.csv`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminListRoute(
  getServices,
  deliveries,
);
