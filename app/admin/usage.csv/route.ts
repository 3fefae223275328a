import { respondWithSpend } from '#lib/accounts/admin/spend-file.ts';
import { createAdminFileRoute } from '#lib/accounts/routes/account-route.ts';
import { getServices } from '#lib/services.ts';

/** What members or groups have used, by day, between any two dates, as CSV: `GET /admin/usage.csv?by=group`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminFileRoute(
  getServices,
  (values, { database }) => respondWithSpend(database, values, Date.now()),
);
