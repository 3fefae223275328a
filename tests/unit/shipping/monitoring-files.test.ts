import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '#lib/telemetry/metrics.ts';
import { runPromtool } from '../../support/programs/promtool.ts';
import { skipWithout } from '../../support/servers/skip-without.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

const folder = resolve(import.meta.dirname, '../../../lib/representations/docs/operate');
const rules = readFileSync(join(folder, 'alerts.yml'), 'utf8');
const dashboard = readFileSync(join(folder, 'dashboard.json'), 'utf8');

type Panel = Readonly<{ title: string; targets: readonly Readonly<{ expr: string }>[] }>;
const panels: readonly Panel[] = JSON.parse(dashboard).panels;
const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** Prometheus sets the first one itself, and the primary of workers the second. */
const ofOthers = ['up', 'marquee_workers'];

test.each([
  ['alert rules', [...rules.matchAll(/expr: >-\n +(.*)/g)].map(([, expr = '']) => expr)],
  ['dashboard', queries],
])('all metrics of the %s exist', async (_, expressions) => {
  expect(expressions.length).toBeGreaterThan(10);
  const { registry } = createMetrics(Date.now);
  const known = new Set(ofOthers);
  for (const { name, type } of await registry.getMetricsAsJSON()) {
    const suffixes = String(type) === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const suffix of suffixes) known.add(name + suffix);
  }
  for (const expression of expressions) {
    const names = expression.match(
      /\b(?:up|(?:marquee|http_server|gen_ai_client|nodejs|process)_\w+)\b/g,
    );
    expect(names, expression).not.toBeNull();
    for (const name of names ?? []) expect([...known]).toContain(name);
  }
});

describe('with Prometheus', () => {
  skipWithout('promtool');

  test('it accepts the rules, and the queries of the dashboard', () => {
    const path = join(makeTestFolder(), 'queries.yml');
    const recorded = queries.map((expr, index) => ({ record: `panel:${index}`, expr }));
    writeFileSync(path, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
    for (const file of [join(folder, 'alerts.yml'), path]) {
      const { isOk, output } = runPromtool(['check', 'rules', file]);
      expect(isOk, output).toBe(true);
    }
  });

  test.each([
    // Read at 0 s; refreshes fail from 180 s on, and pages from 300 s on.
    ['a table that cannot be read any more', '0+15x40', '1x11 0x30', '240s', '255s'],
    ['a table that was never read', 'NaN '.repeat(40), '0x40', '45s', '75s'],
  ])('alerts of %s fire before pages fail', (_, ages, isOk, warnedAt, pagedAt) => {
    checkAlerts(ages, isOk, [
      countFiring('MarqueeTableNotRead', warnedAt, 1),
      countFiring('MarqueeEventsTooOld', pagedAt, 1),
    ]);
  });

  test('nobody is paged for the first read after a restart', () => {
    // A table of 10,000 rows takes 22 seconds.
    checkAlerts('NaN NaN 0+15x20', '0x1 1x20', [
      countFiring('MarqueeEventsTooOld', '0s', 0),
      countFiring('MarqueeEventsTooOld', '15s', 0),
      countFiring('MarqueeEventsTooOld', '60s', 0),
    ]);
  });
});

function countFiring(alertname: string, eval_time: string, count: 0 | 1) {
  return {
    expr: `count(ALERTS{alertname="${alertname}", alertstate="firing"})`,
    eval_time,
    exp_samples: count === 0 ? [] : [{ labels: '{}', value: count }],
  };
}

/** Lets Prometheus evaluate the rules every 15 seconds, for an instance that has started at 0 s. */
function checkAlerts(
  ages: string,
  isOk: string,
  promql_expr_test: readonly ReturnType<typeof countFiring>[],
): void {
  const path = join(makeTestFolder(), 'tests.yml');
  const tested = {
    interval: '15s',
    input_series: [
      { series: 'marquee_snapshot_age_seconds', values: ages },
      { series: 'marquee_table_read_ok', values: isOk },
      { series: 'process_start_time_seconds', values: '0x40' },
    ],
    promql_expr_test,
  };
  const rule_files = [join(folder, 'alerts.yml')];
  writeFileSync(path, JSON.stringify({ rule_files, evaluation_interval: '15s', tests: [tested] }));
  const { isOk: isPassed, output } = runPromtool(['test', 'rules', path]);
  expect(isPassed, output).toBe(true);
}
