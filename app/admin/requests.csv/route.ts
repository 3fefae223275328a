import { readSiteRequestQuery, respondWithSiteRequests } from '#lib/accounts/admin/request-list.ts';
import { createAdminFileRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** Requests as CSV, as the page of them asks for it: `GET /admin/requests.csv`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminFileRoute(
  getServices,
  (values, { database }) =>
    respondWithSiteRequests(database, readSiteRequestQuery(values, Date.now())),
);
