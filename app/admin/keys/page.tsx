import type { Metadata } from 'next';
import { loadKeyList } from '#lib/accounts/admin/key-list.ts';
import { readPage } from '#lib/accounts/admin/paging.ts';
import { getServices } from '#lib/services.ts';
import { SignInNotice } from '../../account/_components/post-form.tsx';
import { toCountOf } from '../../account/_components/words.tsx';
import {
  AdminPage,
  type AdminPageProps,
  Pager,
  readQuery,
  requireAdmin,
  SearchForm,
  toAdminMetadata,
} from '../_components/admin-page.tsx';
import { KeyTable } from '../_components/key-table.tsx';

export const metadata: Metadata = toAdminMetadata('Keys');

/** All API keys. */
export default async function KeysPage({ searchParams }: AdminPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const query = await readQuery(searchParams);
  const text = (query.q ?? '').trim();
  const { keys, paging } = await loadKeyList(getServices().database, {
    text,
    page: readPage(query.page),
    now: Date.now(),
  });
  const count = toCountOf(paging.total, 'key');
  return (
    <AdminPage
      path="/admin/keys"
      title="Keys"
      lead={`${count}${text === '' ? ', including revoked ones.' : ` found for “${text}”.`}`}
      query={query}
    >
      <SignInNotice ageMs={ageMs} to="/admin/keys" purpose="to revoke keys" />
      <SearchForm action="/admin/keys" label="Name, first characters or owner" text={text} />
      {keys.length > 0 && <KeyTable keys={keys} formToken={formToken} />}
      <Pager path="/admin/keys" query={{ q: text }} paging={paging} />
    </AdminPage>
  );
}
