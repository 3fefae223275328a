import { toTableHealth } from '#lib/accounts/admin/table-health.ts';
import type { Config } from '#lib/config/config.ts';
import { type CallQuota, describeCallQuota } from '#lib/events/source/airtable/call-quota.ts';
import type { ReadStatus } from '#lib/events/source/read-status.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import type { Readiness } from '#lib/telemetry/health.ts';
import { findHealthProblems } from './health-problems.ts';
import { type SiteProblem, UnknownState } from './site-problem.ts';

export type TableParts = Readonly<{
  config: Pick<Config, 'airtable'>;
  tableStatus: ReadStatus;
  findCallQuota: () => Promise<CallQuota>;
}>;

/** What is wrong with the events table, and with its rows. @throws UnknownState */
export async function findTableProblems(
  { tableStatus, config, findCallQuota }: TableParts,
  readiness: Readiness,
): Promise<SiteProblem[]> {
  const href = '/admin/events';
  const { leftOut, failure, readAtMs } = toTableHealth(tableStatus, config.airtable);
  const unreadable = findHealthProblems(readiness, 'events').map(({ what }) => ({
    what: `The events table cannot be read: ${what}`,
    advice: failure?.reason ?? 'The page of the events table has more.',
    href,
  }));
  if (unreadable.length > 0) return unreadable;
  if (readAtMs === null) throw new UnknownState('This instance has not read the table yet.');
  const quota = await findCallQuota();
  return [
    ...(leftOut === 0
      ? []
      : [
          {
            what: `${formatCountOf(leftOut, 'row')} of the events table cannot be shown.`,
            advice: 'The page of the events table says why, and what to write instead.',
            href,
          },
        ]),
    ...(quota.isNearlyUsed
      ? [
          {
            what: `Airtable’s calls are running out: ${describeCallQuota(quota)}.`,
            advice: 'Raise EVENTS_CACHE_SECONDS, or upgrade the plan.',
            href,
          },
        ]
      : []),
  ];
}
