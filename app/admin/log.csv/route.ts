import { log } from '#lib/accounts/admin/log-list.ts';
import { createAdminListRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** The log as CSV, as its page asks for it: `GET /admin/log.csv`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminListRoute(
  getServices,
  log,
);
