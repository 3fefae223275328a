import type { Metadata } from 'next';
import { loadKeyList } from '#lib/accounts/admin/key-list.ts';
import { readListQuery, toListParameters, toListPath } from '#lib/accounts/admin/list-query.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { keyList } from '#lib/keys/store/key-queries.ts';
import { getServices } from '#lib/services.ts';
import { SignInNotice } from '../../_components/area/post-form.tsx';
import { type QueryPageProps, readQuery } from '../../_components/area/read-query.ts';
import { AdminPage, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';
import { KeyTable } from '../_components/key-table.tsx';
import { ListForm, ListLinks } from '../_components/long-list.tsx';

export const metadata: Metadata = toAdminMetadata('Keys');

const choices = [
  {
    name: 'state',
    label: 'State',
    options: [
      ['', 'All'],
      ['active', 'Active'],
      ['expired', 'Expired'],
      ['revoked', 'Revoked'],
    ],
  },
  {
    name: 'owner',
    label: 'Owner',
    options: [
      ['', 'Everybody'],
      ['member', 'Members'],
      ['operator', 'The operator'],
    ],
  },
  {
    name: 'sort',
    label: 'Order',
    options: [
      ['', 'Newest first'],
      ['cost', 'Cost, 30 days'],
      ['used', 'Last used first'],
      ['unused', 'Longest unused first'],
      ['name', 'Name'],
    ],
  },
] as const;

/** All API keys. */
export default async function KeysPage({ searchParams }: QueryPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const query = await readQuery(searchParams);
  const asked = readListQuery(keyList, query);
  const { rows, ...place } = await loadKeyList(getServices().database, {
    ...asked,
    now: Date.now(),
  });
  const parameters = toListParameters(keyList, asked);
  const page = toListPath('/admin/keys', parameters, asked.start);
  return (
    <AdminPage
      path="/admin/keys"
      title="Keys"
      lead={`${formatCountOf(place.total, 'key')}${asked.text === '' ? '' : ` found for “${asked.text}”`}.`}
      query={query}
    >
      <SignInNotice ageMs={ageMs} to={page} purpose="to revoke keys" />
      <ListForm
        action="/admin/keys"
        label="Name, first characters, id or owner"
        parameters={parameters}
        choices={choices}
      />
      {rows.length > 0 && <KeyTable keys={rows} formToken={formToken} page={page} hasOwners />}
      <ListLinks path="/admin/keys" parameters={parameters} place={place} />
    </AdminPage>
  );
}
