import { resolve } from 'node:path';
import type { Prometheus } from '../../support/programs/prometheus.ts';
import type { FaultCase } from './faults.ts';

export const alertsFile = resolve(
  import.meta.dirname,
  '../../../lib/representations/docs/operate/alerts.yml',
);

/** What began to fire during a fault, and whether all of it is true and nothing is missing. */
export type AlertRow = Readonly<{ fault: string; alerts: string; isTrue: boolean }>;

type Expected = Pick<FaultCase, 'name' | 'alerts' | 'mayAlert'>;
type Time = Readonly<{ sinceMs: number; isLong: boolean }>;

/** As in `alertsFile`. */
const rulesEverySeconds = 5;
/** The disk of the first instance is small, and others may use the machine. */
const alwaysTrue = ['MarqueeDiskFull', 'MarqueeSlow', 'MarqueeBusy'];

/** @param isLong whether the fault lasted long enough for its alerts */
export async function readAlerts(
  prometheus: Pick<Prometheus, 'query'>,
  { name, alerts, mayAlert = [] }: Expected,
  { sinceMs, isLong }: Time,
): Promise<AlertRow> {
  const begun = await countAlerts(prometheus, (performance.now() - sinceMs) / 1000);
  const isKnown = (alert: string) => [...alerts, ...mayAlert, ...alwaysTrue].includes(alert);
  const isTrue =
    [...begun].every(
      ([alert, times]) => isKnown(alert) && (times === 1 || !alerts.includes(alert)),
    ) &&
    (!isLong || alerts.every((alert) => begun.has(alert)));
  const texts = [...begun].map(([alert, times]) => (times === 1 ? alert : `${alert} × ${times}`));
  return { fault: name, alerts: texts.join(', ') || 'none', isTrue };
}

/** How often each alert began to fire within so many seconds: at several instances at once is once. */
async function countAlerts(
  { query }: Pick<Prometheus, 'query'>,
  withinSeconds: number,
): Promise<ReadonlyMap<string, number>> {
  const seconds = Math.max(rulesEverySeconds, Math.round(withinSeconds));
  const fired = await query(`max_over_time(ALERTS{alertstate="firing"}[${seconds}s])`);
  const counts = new Map<string, number>();
  for (const name of new Set(fired.map(({ labels }) => labels.alertname ?? ''))) {
    const fires = `(max(ALERTS{alertname="${name}", alertstate="firing"}) or vector(0))`;
    const [begun] = await query(`resets((0 - ${fires})[${seconds}s:${rulesEverySeconds}s])`);
    if (begun !== undefined && begun.value > 0) counts.set(name, begun.value);
  }
  return counts;
}
