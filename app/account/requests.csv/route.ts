import { respondWithList } from '#lib/accounts/lists/list-view.ts';
import { requestsOfMember } from '#lib/accounts/lists/request-list.ts';
import { createMemberRoute } from '#lib/accounts/routes/account-route.ts';
import { readSearchParameters, searchOf } from '#lib/http/search-parameters.ts';
import { getServices } from '#lib/services.ts';

/** The requests that the page shows, on all of its pages: `GET /account/requests.csv`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createMemberRoute(
  getServices,
  ({ member }, _, { url }) => {
    const source = { database: getServices().database, memberId: member.id };
    const values = Object.fromEntries(readSearchParameters(searchOf(url)));
    return respondWithList(requestsOfMember, source, values);
  },
);
