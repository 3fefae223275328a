import type { Metadata } from 'next';
import { loadAuditLog, readAuditAction } from '#lib/accounts/admin/audit-view.ts';
import { readPage } from '#lib/accounts/admin/paging.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { auditActions } from '#lib/storage/audit-actions.ts';
import { type QueryPageProps, readQuery } from '../../_components/area/read-query.ts';
import { ChoiceField } from '../../_components/fields/form-fields.tsx';
import { AdminPage, Pager, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';
import { AuditLines } from '../_components/audit-lines.tsx';

export const metadata: Metadata = toAdminMetadata('Log');

/** Who has changed what. */
export default async function LogPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const query = await readQuery(searchParams);
  const { database, config } = getServices();
  const action = readAuditAction(query.action);
  const person = query.person || undefined;
  const [{ lines, paging }, names] = await Promise.all([
    loadAuditLog(database, { action, memberId: person, page: readPage(query.page) }),
    database.members.names(person === undefined ? [] : [person]),
  ]);
  const count = formatCountOf(paging.total, 'change');
  const whose =
    person === undefined
      ? 'members, admins and the operator'
      : `or about ${names.get(person) ?? person}`;
  return (
    <AdminPage
      path="/admin/log"
      title="Log"
      lead={`${count} by ${whose} in the last ${config.storage.usageDays} days.`}
    >
      <form method="get" action="/admin/log" className="admin-search">
        {person !== undefined && <input type="hidden" name="person" value={person} />}
        <ChoiceField
          id="action"
          name="action"
          label="Action"
          options={[
            ['', 'All'],
            ...auditActions.map((action) => [action, action.replace('.', ' ')] as const),
          ]}
          chosen={action ?? ''}
        />
        <button type="submit" className="button">
          Show
        </button>
        {(person ?? action) !== undefined && (
          <a className="button-quiet" href="/admin/log">
            All
          </a>
        )}
      </form>
      <AuditLines lines={lines} />
      <Pager path="/admin/log" query={{ person, action }} paging={paging} />
    </AdminPage>
  );
}
