import type { Metadata } from 'next';
import { log } from '#lib/accounts/admin/log-list.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { ListFrame } from '../../_components/area/list-frame.tsx';
import type { QueryPageProps } from '../../_components/area/read-query.ts';
import { AdminPage, openList, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';
import { AuditLines } from '../_components/audit-lines.tsx';

export const metadata: Metadata = toAdminMetadata('Log');

/** Who has changed what. */
export default async function LogPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const { query, source } = await openList(log, searchParams);
  const { person } = query.filters;
  const [{ rows, ...place }, names] = await Promise.all([
    log.load(source, query),
    source.database.members.names(person === undefined ? [] : [person]),
  ]);
  const count = formatCountOf(place.total, 'change');
  const whose =
    person === undefined
      ? 'members, admins and the operator'
      : `or about ${names.get(person) ?? person}`;
  const { usageDays } = getServices().config.storage;
  return (
    <AdminPage
      path={log.path}
      title="Log"
      lead={`${count} by ${whose} in the last ${usageDays} days.`}
    >
      <ListFrame list={log} query={query} place={place}>
        <AuditLines lines={rows} />
      </ListFrame>
    </AdminPage>
  );
}
