import {
  type AuditAction,
  type AuditFilter,
  type AuditValues,
  auditActions,
} from '#lib/storage/audit-log.ts';
import type { Database } from '#lib/storage/database.ts';
import { type Paging, toOffset, toPaging } from './paging.ts';

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
  changes: readonly ValueChange[];
}>;

/** A member; without a name if they have been deleted. */
export type Person = Readonly<{ id: string; name: string | null }>;

export type ValueChange = Readonly<{ column: string; from: string | null; to: string | null }>;

export async function loadAuditLog(
  { auditLog, members }: Pick<Database, 'auditLog' | 'members'>,
  { page, ...filter }: AuditFilter & Readonly<{ page: number }>,
): Promise<Readonly<{ lines: readonly AuditLine[]; paging: Paging }>> {
  const { entries, total } = await auditLog.list(filter, toOffset(page));
  const ids = entries.flatMap(({ actor, memberId }) => [actor, memberId].filter((one) => one !== null));
  const names = await members.names([...new Set(ids)]);
  const toPerson = (id: string | null) =>
    id === null ? null : { id, name: names.get(id) ?? null };
  const lines = entries.map(({ id, at, action, actor, memberId, target, ...values }) => ({
    ...{ id, at, action, target },
    by: toPerson(actor),
    about: memberId === actor ? null : toPerson(memberId),
    changes: toChanges(values),
  }));
  return { lines, paging: toPaging(page, total) };
}

export function readAuditAction(text: string | undefined): AuditAction | undefined {
  return auditActions.find((action) => action === text);
}

type Values = Readonly<{ oldValues: AuditValues | null; newValues: AuditValues | null }>;

/** A new thing has only the values that are no default. */
function toChanges({ oldValues, newValues }: Values): ValueChange[] {
  return Object.entries(newValues ?? {}).flatMap(([column, value]) => {
    const [from, to] = [toText(oldValues?.[column]), toText(value)];
    return from === null && to === null ? [] : { column: column.replaceAll('_', ' '), from, to };
  });
}

function toText(value: string | number | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
