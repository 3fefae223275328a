import { memberColumns } from '#lib/accounts/admin/list-columns.ts';
import { respondWithList } from '#lib/accounts/admin/list-file.ts';
import { readListQuery } from '#lib/accounts/admin/list-query.ts';
import { loadMemberList } from '#lib/accounts/admin/member-list.ts';
import { createAdminFileRoute } from '#lib/accounts/routes/account-route.ts';
import { memberList } from '#lib/accounts/store/member-queries.ts';
import { getServices } from '#lib/services.ts';

/** Members as CSV, as the page of them asks for it: `GET /admin/members.csv`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createAdminFileRoute(
  getServices,
  (values, { database, config }) => {
    const options = { database, admins: config.members?.admins ?? [], now: Date.now() };
    return respondWithList({
      name: 'members',
      columns: memberColumns,
      load: (query) => loadMemberList(options, query),
      query: readListQuery(memberList, values),
    });
  },
);
