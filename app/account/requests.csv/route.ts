import { respondWithRequestsOf } from '#lib/accounts/account/request-list.ts';
import { readRequestQuery } from '#lib/accounts/account/request-query.ts';
import { createMemberRoute } from '#lib/accounts/routes/account-route.ts';
import { readSearchParameters, searchOf } from '#lib/http/search-parameters.ts';
import { getServices } from '#lib/services.ts';

/** The requests that the page shows, on all of its pages: `GET /account/requests.csv`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createMemberRoute(
  getServices,
  ({ member }, _, { url }) => {
    const parameters = Object.fromEntries(readSearchParameters(searchOf(url)));
    const query = readRequestQuery(parameters, Date.now());
    return respondWithRequestsOf(getServices().database, member.id, query);
  },
);
