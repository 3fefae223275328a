import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Prometheus, Series } from '../../support/programs/prometheus.ts';

const folder = resolve(import.meta.dirname, '../../../lib/representations/docs/operate');

type Target = Readonly<{ expr: string; legendFormat: string }>;
type Panel = Readonly<{ title: string; targets: readonly Target[] }>;

/** What the dashboard shows at a moment: a row for each query, with its highest series. */
export type Answers = Readonly<{
  rows: readonly (readonly [panel: string, answer: string])[];
  /** Panels without any series, which should have some. */
  empty: readonly string[];
}>;

const shownMax = 5;
/** The sample table has none. */
const mayBeEmpty = ['Rows with problems'];

/** Asks Prometheus what the documented dashboard asks. */
export async function askDashboard({ query }: Pick<Prometheus, 'query'>): Promise<Answers> {
  const { panels }: { panels: readonly Panel[] } = JSON.parse(
    readFileSync(`${folder}/dashboard.json`, 'utf8'),
  );
  const rows: [string, string][] = [];
  const empty: string[] = [];
  for (const { title, targets } of panels) {
    let found = 0;
    for (const { expr, legendFormat } of targets) {
      const series = await query(expr);
      found += series.length;
      rows.push([title, describeHighest(series, legendFormat)]);
    }
    if (found === 0 && !mayBeEmpty.includes(title)) empty.push(title);
  }
  return { rows, empty };
}

function describeHighest(series: readonly Series[], legend: string): string {
  const sorted = series.toSorted((a, b) => b.value - a.value);
  const shown = sorted.slice(0, shownMax).map(({ labels, value }) => {
    const name = legend.replace(/{{(\w+)}}/g, (_, label: string) => labels[label] ?? '').trim();
    return `${name} ${formatValue(value)}`;
  });
  const rest = series.length - shown.length;
  return shown.join(', ') + (rest > 0 ? `, ${rest} more` : '') || 'nothing';
}

function formatValue(value: number): string {
  if (Number.isNaN(value)) return 'unknown';
  return value >= 1e6 ? `${Math.round(value / 1e6)} M` : String(Number(value.toPrecision(3)));
}
