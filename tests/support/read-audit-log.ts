import { readListQuery } from '#lib/accounts/lists/list-query.ts';
import { type AuditEntry, auditList } from '#lib/storage/audit-log.ts';
import type { ReadList } from '#lib/storage/lists.ts';

type Filters = Readonly<{ person?: string; action?: AuditEntry['action'] }>;

/** The newest fifty entries of the audit log. */
export async function readAuditLog(
  { readList }: Readonly<{ readList: ReadList }>,
  filters: Filters = {},
): Promise<readonly AuditEntry[]> {
  return (await readList(auditList, readListQuery(auditList, filters), 0)).rows;
}
