import type { listLeftOut } from '#lib/events/source/airtable/problem-groups.ts';
import type { ReadStatus } from '#lib/events/source/read-status.ts';
import type { Alert } from '../webhooks/webhook-message.ts';

/** What admins are told, once in a day. Names no member. */
export type AdminAlert = Pick<Alert, 'type' | 'data'> & Readonly<{ cause: string }>;

export type ObservedUpstream = Readonly<{
  name: string;
  breaker: string;
  credit: Readonly<{ left: number | null; alertBelow: number }> | null;
}>;

type ObservedState = Readonly<{
  upstreams: readonly ObservedUpstream[];
  table: ReadStatus;
  /** How many records of usage wait to be stored. */
  usageWaiting: number;
  now: number;
}>;

const minuteMs = 60_000;
const downMs = 5 * minuteMs;
const waitingMs = 5 * minuteMs;
const unreadableMs = 10 * minuteMs;

/**
 * Watches what this process sees of its surroundings.
 * @returns a function that takes the present state, about each minute, and returns what lasts too long.
 */
export function createWatch(startedAt: number): (state: ObservedState) => AdminAlert[] {
  const since = new Map<string, number>();

  /** For how long something has been seen without a break, ms. */
  function last(name: string, isSeen: boolean, now: number): number {
    if (!isSeen) {
      since.delete(name);
      return 0;
    }
    const from = since.get(name) ?? now;
    since.set(name, from);
    return now - from;
  }

  return ({ upstreams, table, usageWaiting, now }) => {
    const alerts: AdminAlert[] = [];
    for (const { name, credit } of upstreams) {
      if (credit === null || credit.left === null || credit.left >= credit.alertBelow) continue;
      const { left, alertBelow } = credit;
      alerts.push({
        cause: `upstream ${name} credit`,
        type: 'alert.credit_low',
        data: { upstream: name, left, alertBelow },
      });
    }
    for (const { name, breaker } of upstreams) {
      if (last(`upstream ${name}`, breaker !== 'closed', now) < downMs) continue;
      alerts.push({
        cause: `upstream ${name} down`,
        type: 'alert.upstream_down',
        data: { upstream: name },
      });
    }
    const readAt = table.lastRead?.readAtMs ?? startedAt;
    if (table.isFailing && now - readAt >= unreadableMs) {
      const lastReadAt = table.lastRead === null ? null : new Date(readAt).toISOString();
      alerts.push({
        cause: 'table unreadable',
        type: 'alert.table_unreadable',
        data: { lastReadAt, reason: table.lastFailure?.reason ?? 'unknown' },
      });
    }
    if (last('usage', usageWaiting > 0, now) >= waitingMs) {
      alerts.push({
        cause: 'usage waiting',
        type: 'alert.usage_waiting',
        data: { records: usageWaiting },
      });
    }
    return alerts;
  };
}

const rowsMax = 20;

/** The rows that are left out, as an alert tells them. */
export function toLeftOutAlert(rows: ReturnType<typeof listLeftOut>): AdminAlert {
  return {
    cause: 'rows left out',
    type: 'alert.rows_left_out',
    data: {
      count: rows.length,
      rows: rows
        .slice(0, rowsMax)
        .map(({ recordId, column, reason }) => ({ recordId, column, reason })),
    },
  };
}
