import { respondWithMemberData } from '#lib/accounts/account/member-data.ts';
import { createMemberRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** All stored data of the member: `GET /account/data.json`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createMemberRoute(
  getServices,
  async ({ member }, { account }) => respondWithMemberData(member, await account.loadAll(member)),
);
