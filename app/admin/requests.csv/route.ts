import { requestsOfSite } from '#lib/accounts/lists/request-list.ts';
import { createAdminListRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** Requests as CSV, as the page of them asks for it: `GET /admin/requests.csv`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminListRoute(
  getServices,
  requestsOfSite,
);
