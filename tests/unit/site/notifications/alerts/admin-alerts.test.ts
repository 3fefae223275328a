import { describe, expect, it } from 'vitest';
import type { ReadStatus } from '#lib/events/source/read-status.ts';
import { createWatch } from '#lib/site/notifications/alerts/admin-alerts.ts';
import { describeAlert } from '#lib/site/notifications/alerts/admin-mails.ts';

const start = Date.parse('2026-11-23T12:00:00Z');
const minute = 60_000;
const fine: ReadStatus = { lastRead: null, lastFailure: null, isFailing: false };
const quiet = { upstreams: [], table: fine, usageWaiting: 0 };

describe('createWatch', () => {
  it('tells of an upstream that is down for five minutes without a break', () => {
    const watch = createWatch(start);
    const see = (breaker: string, at: number) =>
      watch({
        ...quiet,
        upstreams: [{ name: 'north', breaker, credit: null }],
        now: start + at * minute,
      });
    expect([0, 1, 2, 3, 4].flatMap((at) => see('open', at))).toEqual([]);
    expect(see('half-open', 5).map(({ type }) => type)).toEqual(['alert.upstream_down']);
    expect(see('closed', 6)).toEqual([]);
    expect(see('open', 7)).toEqual([]);
  });

  it('tells of a table that cannot be read for ten minutes', () => {
    const watch = createWatch(start);
    const table = {
      ...fine,
      isFailing: true,
      lastFailure: { atMs: start, reason: 'rate_limited' },
    };
    const see = (at: number) => watch({ ...quiet, table, now: start + at * minute });
    expect(see(9)).toEqual([]);
    expect(see(10)).toMatchObject([
      { type: 'alert.table_unreadable', data: { lastReadAt: null, reason: 'rate_limited' } },
    ]);
  });

  it('tells of credit that is nearly used up, and of debt, but not of what is unknown', () => {
    const watch = createWatch(start);
    const see = (left: number | null) => {
      const upstream = { name: 'north', breaker: 'closed', credit: { left, alertBelow: 5 } };
      return watch({ ...quiet, upstreams: [upstream], now: start });
    };
    expect([...see(5), ...see(null)]).toEqual([]);
    for (const left of [4.99, 0, -3]) {
      expect(see(left)).toMatchObject([
        { type: 'alert.credit_low', data: { upstream: 'north', left, alertBelow: 5 } },
      ]);
    }
  });

  it('tells of usage that waits for five minutes', () => {
    const watch = createWatch(start);
    const see = (usageWaiting: number, at: number) =>
      watch({ ...quiet, usageWaiting, now: start + at * minute });
    expect([...see(3, 0), ...see(9, 4)]).toEqual([]);
    expect(see(12, 5)).toMatchObject([{ type: 'alert.usage_waiting', data: { records: 12 } }]);
    expect([...see(0, 6), ...see(1, 7)]).toEqual([]);
  });
});

describe('describeAlert', () => {
  it('has words for every kind of alert, and some for one that it does not know', () => {
    const kinds = ['upstream_down', 'table_unreadable', 'rows_left_out', 'webhook_disabled'];
    for (const kind of [...kinds, 'usage_waiting', 'mail_refused', 'credit_low']) {
      const { subject, path } = describeAlert({ type: `alert.${kind}`, data: {} });
      expect(subject).not.toBe('Something needs your attention');
      expect(path).toMatch(/^\/admin/);
    }
    expect(describeAlert({ type: 'alert.other', data: {} }).lines).toEqual(['alert.other']);
  });
});
