import { respondWithUsageJson } from '#lib/accounts/account/usage-files.ts';
import { createMemberRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** The member's usage of 30 days by day, model and key: `GET /account/usage.json`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createMemberRoute(
  getServices,
  async ({ member }, { account }) => respondWithUsageJson(await account.loadUsage(member)),
);
