import type { Metadata } from 'next';
import { loadMemberList } from '#lib/accounts/admin/member-list.ts';
import { readPage } from '#lib/accounts/admin/paging.ts';
import { describeRejection } from '#lib/accounts/sign-in/explain-rejection.ts';
import { getServices } from '#lib/services.ts';
import { Moment, toCountOf } from '../account/_components/words.tsx';
import {
  AdminPage,
  type AdminPageProps,
  Pager,
  readQuery,
  requireAdmin,
  SearchForm,
  toAdminMetadata,
} from './_components/admin-page.tsx';
import { MemberTable } from './_components/member-table.tsx';

export const metadata: Metadata = toAdminMetadata('Members');

/** Everybody who has signed in. */
export default async function MembersPage({ searchParams }: AdminPageProps) {
  await requireAdmin();
  const query = await readQuery(searchParams);
  const { database, config } = getServices();
  const text = (query.q ?? '').trim();
  const { members, paging } = await loadMemberList(
    { database, admins: config.members?.admins ?? [], now: Date.now() },
    { text, page: readPage(query.page) },
  );
  const people = toCountOf(paging.total, 'person', 'people');
  const have = paging.total === 1 ? 'has' : 'have';
  return (
    <AdminPage
      path="/admin"
      title="Members"
      lead={text === '' ? `${people} ${have} signed in.` : `${people} found for “${text}”.`}
    >
      <LastRejection />
      <SearchForm action="/admin" label="Name or e-mail address" text={text} />
      {members.length > 0 && <MemberTable members={members} />}
      <Pager path="/admin" query={{ q: text }} paging={paging} />
    </AdminPage>
  );
}

/** Why this instance has not let somebody in, since it started. */
function LastRejection() {
  const last = getServices().members?.security.findLastRejection() ?? null;
  if (last === null) return null;
  return (
    <p className="notice">
      {describeRejection(last.rejection)} (<Moment timeMs={last.at} />)
    </p>
  );
}
