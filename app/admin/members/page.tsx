import type { Metadata } from 'next';
import { members } from '#lib/accounts/admin/member-list.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { ListFrame } from '../../_components/area/list-frame.tsx';
import type { QueryPageProps } from '../../_components/area/read-query.ts';
import { AdminPage, openList, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';
import { MemberTable } from '../_components/member-table.tsx';

export const metadata: Metadata = toAdminMetadata('Members');

/** Everybody who has signed in. */
export default async function MembersPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const { query, source } = await openList(members, searchParams);
  const { rows, ...place } = await members.load(source, query);
  const { text, filters } = query;
  const people = formatCountOf(place.total, 'person', 'people');
  const found = [
    ...(text === '' ? [] : [`“${text}”`]),
    ...(filters.group === undefined ? [] : [`the group ${filters.group}`]),
  ].join(' in ');
  return (
    <AdminPage
      path={members.path}
      title="Members"
      lead={
        found === ''
          ? `${people} ${place.total === 1 ? 'has' : 'have'} signed in.`
          : `${people} found for ${found}.`
      }
    >
      <ListFrame list={members} query={query} place={place}>
        {rows.length > 0 && <MemberTable members={rows} />}
      </ListFrame>
    </AdminPage>
  );
}
