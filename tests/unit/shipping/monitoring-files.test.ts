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

/** Prometheus sets this one itself. */
const ofPrometheus = ['up'];

test.each([
  ['alert rules', [...rules.matchAll(/expr: >-\n +(.*)/g)].map(([, expr = '']) => expr)],
  ['dashboard', queries],
])('all metrics of the %s exist', async (_, expressions) => {
  expect(expressions.length).toBeGreaterThan(10);
  const { registry } = createMetrics(Date.now);
  const known = new Set(ofPrometheus);
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
    ['a table that cannot be read any more', '0+15x40', '1x11 0x30', '240s', '270s'],
    // Without an age, which is NaN.
    ['a table that was never read', '_x40', '0x40', '45s', null],
  ])('alerts of %s fire before pages fail', (_, ages, isOk, warnedAt, pagedAt) => {
    const path = join(makeTestFolder(), 'tests.yml');
    const firing = (alertname: string, eval_time: string) => ({
      expr: `count(ALERTS{alertname="${alertname}", alertstate="firing"})`,
      eval_time,
      exp_samples: [{ labels: '{}', value: 1 }],
    });
    const tested = {
      interval: '15s',
      input_series: [
        { series: 'marquee_snapshot_age_seconds', values: ages },
        { series: 'marquee_table_read_ok', values: isOk },
      ],
      promql_expr_test: [
        firing('MarqueeTableNotRead', warnedAt),
        ...(pagedAt === null ? [] : [firing('MarqueeEventsTooOld', pagedAt)]),
      ],
    };
    const rule_files = [join(folder, 'alerts.yml')];
    writeFileSync(
      path,
      JSON.stringify({ rule_files, evaluation_interval: '15s', tests: [tested] }),
    );
    const { isOk: isPassed, output } = runPromtool(['test', 'rules', path]);
    expect(isPassed, output).toBe(true);
  });
});
