import type { Metadata } from 'next';
import { keys } from '#lib/accounts/admin/key-list.ts';
import { toListSearch } from '#lib/accounts/lists/list-query.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { ListFrame } from '../../_components/area/list-frame.tsx';
import { SignInNotice } from '../../_components/area/post-form.tsx';
import type { QueryPageProps } from '../../_components/area/read-query.ts';
import { AdminPage, openList, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';
import { KeyTable } from '../_components/key-table.tsx';

export const metadata: Metadata = toAdminMetadata('Keys');

/** All API keys. */
export default async function KeysPage({ searchParams }: QueryPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const { values, query, source } = await openList(keys, searchParams);
  const { rows, ...place } = await keys.load(source, query);
  const page = keys.path + toListSearch(keys, query, query.start);
  return (
    <AdminPage
      path={keys.path}
      title="Keys"
      lead={`${formatCountOf(place.total, 'key')}${query.text === '' ? '' : ` found for “${query.text}”`}.`}
      query={values}
    >
      <SignInNotice ageMs={ageMs} to={page} purpose="to revoke keys" />
      <ListFrame list={keys} query={query} place={place}>
        {rows.length > 0 && <KeyTable keys={rows} formToken={formToken} page={page} hasOwners />}
      </ListFrame>
    </AdminPage>
  );
}
