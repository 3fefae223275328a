import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '#lib/telemetry/metrics.ts';
import { runPromtool } from '../../../support/programs/promtool.ts';
import { skipWithout } from '../../../support/servers/skip-without.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

const folder = resolve(import.meta.dirname, '../../../../lib/representations/docs/operate');
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

  // Two instances, read every ten seconds for half an hour. An outage begins after ten minutes.
  const samples = 181;
  const begin = 60;

  test.each([
    { outage: 'the processes do not run', pages: ['MarqueeNotReady'], up: 3, failing: 0 },
    // A check finds it after at most five seconds.
    { outage: 'PostgreSQL is away', pages: ['MarqueeCheckFails'], up: 0, failing: 2 },
    { outage: 'the models are away', pages: [], up: 0, failing: 0, status: '502' },
    { outage: 'an instance restarts', pages: [], up: 1, failing: 0 },
  ])('half a minute in which $outage causes $pages', ({ pages, up, failing, status = '503' }) => {
    checkPages(
      ['a', 'b'].flatMap((instance) => [
        toSeries(`up{job="marquee", instance="${instance}"}`, (at) => Number(!isWithin(at, up))),
        toSeries(`marquee_check_ok{instance="${instance}", check="database"}`, (at) =>
          Number(!isWithin(at, failing)),
        ),
        // A third of all requests fails.
        ...toRequests(instance, { '200': 10, [status]: (at) => (isWithin(at, 3) ? 5 : 0) }),
      ]),
      pages,
    );
  });

  test('a busy machine that turns a tenth away, and responds late now and then, causes no page', () => {
    checkPages(
      ['a', 'b'].flatMap((instance) => [
        toSeries(`up{job="marquee", instance="${instance}"}`, (at) => Number(at % 7 !== 0)),
        toSeries(`marquee_check_ok{instance="${instance}", check="database"}`, (at) =>
          Number(at % 5 !== 0),
        ),
        ...toRequests(instance, { '200': 90, '503': 10 }),
      ]),
      [],
    );
  });

  test('errors of ten minutes cause one page', () => {
    checkPages(
      ['a', 'b'].flatMap((instance) =>
        toRequests(instance, { '200': 90, '500': (at) => (isWithin(at, 60) ? 2 : 0) }),
      ),
      ['MarqueeErrors'],
    );
  });

  test.each([
    ['one process', 900e6, null, 1],
    ['four workers', 900e6, 4, 0],
    ['four workers', 3.6e9, 4, 1],
  ] as const)('%s with %d bytes of memory', (_, bytes, workers, count) => {
    const labels = '{job="marquee", instance="a"}';
    const of = (name: string, value: number) => toSeries(name + labels, () => value);
    const series = [of('up', 1), of('process_resident_memory_bytes', bytes)];
    if (workers !== null) {
      const serving = '{job="marquee", instance="a", state="serving"}';
      series.push(toSeries(`marquee_workers${serving}`, () => workers));
    }
    runAlertTest(series, '10s', [countFiring('MarqueeMemory', '20m', count)]);
  });

  function isWithin(at: number, count: number): boolean {
    return at >= begin && at < begin + count;
  }

  function toSeries(series: string, read: (at: number) => number): SeriesOverTime {
    return { series, values: Array.from({ length: samples }, (_, at) => read(at)).join(' ') };
  }

  /** Counters of responses by status, from how many there are between two samples. */
  function toRequests(
    instance: string,
    statuses: Readonly<Record<string, number | ((at: number) => number)>>,
  ): SeriesOverTime[] {
    return Object.entries(statuses).map(([status, count]) => {
      let sum = 0;
      return toSeries(
        `http_server_request_duration_seconds_count{instance="${instance}", status="${status}"}`,
        (at) => (sum += typeof count === 'number' ? count : count(at)),
      );
    });
  }
});

function countFiring(alertname: string, eval_time: string, count: 0 | 1): ExpectedSamples {
  return {
    expr: `count(ALERTS{alertname="${alertname}", alertstate="firing"})`,
    eval_time,
    exp_samples: count === 0 ? [] : [{ labels: '{}', value: count }],
  };
}

type SeriesOverTime = Readonly<{ series: string; values: string }>;

/** Within half an hour: one notification, as Alertmanager groups alerts by their name. */
function checkPages(input_series: readonly SeriesOverTime[], names: readonly string[]): void {
  const pages = 'severity="page", alertstate="firing"';
  runAlertTest(input_series, '10s', [
    {
      expr: `count by (alertname) (max_over_time(ALERTS{${pages}}[30m]))`,
      eval_time: '30m',
      exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 2 })),
    },
    {
      // A second time would have a time of its own.
      expr: `sum(changes(ALERTS_FOR_STATE{alertname=~"${names.join('|')}"}[30m]))`,
      eval_time: '30m',
      exp_samples: names.length === 0 ? [] : [{ labels: '{}', value: 0 }],
    },
  ]);
}

/** For an instance that has started at 0 s. */
function checkAlerts(ages: string, isOk: string, expected: readonly ExpectedSamples[]): void {
  const input_series = [
    { series: 'marquee_snapshot_age_seconds', values: ages },
    { series: 'marquee_table_read_ok', values: isOk },
    { series: 'process_start_time_seconds', values: '0x40' },
  ];
  runAlertTest(input_series, '15s', expected);
}

type ExpectedSamples = Readonly<{
  expr: string;
  eval_time: string;
  exp_samples: readonly Readonly<{ labels: string; value: number }>[];
}>;

/** Lets Prometheus evaluate the rules, with a sample of each series at each interval. */
function runAlertTest(
  input_series: readonly SeriesOverTime[],
  interval: string,
  promql_expr_test: readonly ExpectedSamples[],
): void {
  const path = join(makeTestFolder(), 'tests.yml');
  const rule_files = [join(folder, 'alerts.yml')];
  const tests = [{ interval, input_series, promql_expr_test }];
  writeFileSync(path, JSON.stringify({ rule_files, evaluation_interval: '5s', tests }));
  const { isOk, output } = runPromtool(['test', 'rules', path]);
  expect(isOk, output).toBe(true);
}
