import { formatBudget, noBudget } from '#lib/config/budget.ts';
import { toBudget } from '#lib/spend/budgets.ts';
import type { AuditAction } from '#lib/storage/audit-actions.ts';
import { type AuditEntry, type AuditValues, auditList } from '#lib/storage/audit-log.ts';
import { readStored, storedList } from '#lib/storage/stored-json.ts';
import { toIsoTime } from '../files/csv-file.ts';
import type { ListSource, ViewOf } from '../lists/list-view.ts';

/** An entry of the audit log with the names that exist at present. */
export type AuditLine = Readonly<{
  id: string;
  at: number;
  action: AuditAction;
  /** Null: the operator, by a command. */
  by: Person | null;
  /** The member whom it is about, unless it is their own doing. */
  about: Person | null;
  target: string;
  /** The name of the key or group; null for members, sessions and keys that are gone. */
  targetName: string | null;
  changes: readonly ValueChange[];
}>;

/** A member; without a name if they have been deleted. */
export type Person = Readonly<{ id: string; name: string | null }>;

type ValueChange = Readonly<{ column: string; from: string | null; to: string | null }>;

export const log = {
  ...auditList,
  path: '/admin/log',
  columns: {
    id: ({ id }) => id,
    at: ({ at }) => toIsoTime(at),
    action: ({ action }) => action,
    by_id: ({ by }) => by?.id ?? null,
    by: ({ by }) => by?.name ?? null,
    about_id: ({ about }) => about?.id ?? null,
    about: ({ about }) => about?.name ?? null,
    target: ({ target }) => target,
    target_name: ({ targetName }) => targetName,
    changes: ({ changes }) => formatChanges(changes),
  },
  async load({ database, now }, query) {
    const page = await database.readList(auditList, query, now);
    return { ...page, rows: await toLines(database, page.rows) };
  },
} as const satisfies ViewOf<typeof auditList, AuditLine>;

/** `budget: default → 5.00 USD/day` */
export function formatChanges(changes: AuditLine['changes']): string {
  return changes
    .map(({ column, from, to }) => `${column}: ${from ?? 'default'} → ${to ?? 'default'}`)
    .join('; ');
}

async function toLines(
  { members, keys }: ListSource['database'],
  entries: readonly AuditEntry[],
): Promise<AuditLine[]> {
  const ids = entries.flatMap(({ actor, memberId }) =>
    [actor, memberId].filter((id) => id !== null),
  );
  const targets = entries.map(({ target }) => target);
  const [names, keyNames] = await Promise.all([
    members.names([...new Set(ids)]),
    keys.names([...new Set(targets)]),
  ]);
  const toPerson = (id: string | null) =>
    id === null ? null : { id, name: names.get(id) ?? null };
  return entries.map(({ id, at, action, actor, memberId, target, ...values }) => ({
    id,
    at,
    action,
    target,
    targetName: action.startsWith('group.') ? target : (keyNames.get(target) ?? null),
    by: toPerson(actor),
    about: memberId === actor ? null : toPerson(memberId),
    changes: toChanges(values),
  }));
}

type Values = Readonly<{ oldValues: AuditValues | null; newValues: AuditValues | null }>;

/** A new thing has only the values that are no default. */
function toChanges({ oldValues, newValues }: Values): ValueChange[] {
  return Object.entries(newValues ?? {}).flatMap(([column, value]) => {
    const [from, to] = [toText(column, oldValues?.[column]), toText(column, value)];
    return from === null && to === null
      ? []
      : { column: columnNames[column] ?? column.replaceAll('_', ' '), from, to };
  });
}

const columnNames: Readonly<Record<string, string>> = { group_name: 'group' };

function toText(column: string, value: string | number | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (column === 'budget') return formatBudget(toBudget(String(value)) ?? noBudget);
  if (column === 'models') return readStored(storedList, String(value), []).join(', ');
  return column === 'expires_at' ? new Date(value).toISOString() : String(value);
}
