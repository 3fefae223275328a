import { loadKeyList } from '#lib/accounts/admin/key-list.ts';
import { keyColumns } from '#lib/accounts/admin/list-columns.ts';
import { respondWithList } from '#lib/accounts/admin/list-file.ts';
import { readListQuery } from '#lib/accounts/admin/list-query.ts';
import { createAdminFileRoute } from '#lib/accounts/routes/account-route.ts';
import { keyList } from '#lib/keys/store/key-queries.ts';
import { getServices } from '#lib/services.ts';

/** Keys as CSV, as the page of them asks for it: `GET /admin/keys.csv`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminFileRoute(
  getServices,
  (values, { database }) =>
    respondWithList({
      name: 'keys',
      columns: keyColumns,
      load: (query) => loadKeyList(database, query),
      query: { ...readListQuery(keyList, values), now: Date.now() },
    }),
);
