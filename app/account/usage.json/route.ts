import { readUsage } from '#lib/accounts/account/usage-data.ts';
import { respondWithUsageJson } from '#lib/accounts/account/usage-files.ts';
import { readUsageSpan } from '#lib/accounts/account/usage-span.ts';
import { createMemberRoute } from '#lib/accounts/routes/account-route.ts';
import { readSearchParameters, searchOf } from '#lib/http/search-parameters.ts';
import { getServices } from '#lib/services.ts';

/** The member's usage by day or hour, model and key, of the time that the page shows: `GET /account/usage.json`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createMemberRoute(
  getServices,
  async ({ member }, _, { url }) => {
    const parameters = Object.fromEntries(readSearchParameters(searchOf(url)));
    const span = readUsageSpan(parameters, Date.now());
    return respondWithUsageJson(await readUsage(getServices().database, member.id, span));
  },
);
