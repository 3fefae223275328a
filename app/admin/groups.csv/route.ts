import { loadGroupList } from '#lib/accounts/admin/group-list.ts';
import { groupColumns } from '#lib/accounts/admin/list-columns.ts';
import { respondWithList } from '#lib/accounts/admin/list-file.ts';
import { readListQuery } from '#lib/accounts/admin/list-query.ts';
import { createAdminFileRoute } from '#lib/accounts/routes/account-route.ts';
import { groupList } from '#lib/accounts/store/group-store.ts';
import { getServices } from '#lib/services.ts';

/** Groups as CSV, as the page of them asks for it: `GET /admin/groups.csv`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminFileRoute(
  getServices,
  (values, { database }) =>
    respondWithList({
      name: 'groups',
      columns: groupColumns,
      load: (query) => loadGroupList(database, query),
      query: { ...readListQuery(groupList, values), now: Date.now() },
    }),
);
