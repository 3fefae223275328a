import type { Metadata } from 'next';
import { readListQuery, toListParameters } from '#lib/accounts/admin/list-query.ts';
import { loadMemberList } from '#lib/accounts/admin/member-list.ts';
import { memberList } from '#lib/accounts/store/member-queries.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { type QueryPageProps, readQuery } from '../../_components/area/read-query.ts';
import { AdminPage, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';
import { ListForm, ListLinks } from '../_components/long-list.tsx';
import { MemberTable } from '../_components/member-table.tsx';

export const metadata: Metadata = toAdminMetadata('Members');

const choices = [
  {
    name: 'state',
    label: 'State',
    options: [
      ['', 'All'],
      ['active', 'Enabled'],
      ['disabled', 'Disabled'],
    ],
  },
  {
    name: 'sort',
    label: 'Order',
    options: [
      ['', 'Name'],
      ['cost', 'Cost, 30 days'],
      ['seen', 'Last seen first'],
      ['joined', 'Newest first'],
    ],
  },
] as const;

/** Everybody who has signed in. */
export default async function MembersPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const { database, config } = getServices();
  const asked = readListQuery(memberList, await readQuery(searchParams));
  const { rows, ...place } = await loadMemberList(
    { database, admins: config.members?.admins ?? [], now: Date.now() },
    asked,
  );
  const { text, filters } = asked;
  const people = formatCountOf(place.total, 'person', 'people');
  const found = [
    ...(text === '' ? [] : [`“${text}”`]),
    ...(filters.group === undefined ? [] : [`the group ${filters.group}`]),
  ].join(' in ');
  const parameters = toListParameters(memberList, asked);
  return (
    <AdminPage
      path="/admin/members"
      title="Members"
      lead={
        found === ''
          ? `${people} ${place.total === 1 ? 'has' : 'have'} signed in.`
          : `${people} found for ${found}.`
      }
    >
      <ListForm
        action="/admin/members"
        label="Name, email address or id"
        parameters={parameters}
        choices={choices}
      />
      {rows.length > 0 && <MemberTable members={rows} />}
      <ListLinks path="/admin/members" parameters={parameters} place={place} />
    </AdminPage>
  );
}
