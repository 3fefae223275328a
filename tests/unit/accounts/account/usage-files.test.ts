import { expect, test } from 'vitest';
import { formatCachedShare } from '#lib/accounts/account/account-view.ts';
import type { UsageData, UsageFile } from '#lib/accounts/account/usage-data.ts';
import { respondWithUsageCsv, respondWithUsageJson } from '#lib/accounts/account/usage-files.ts';
import { toSessionUsages, toUsageView } from '#lib/accounts/account/usage-view.ts';
import { toPages } from '#lib/accounts/files/file-response.ts';
import { makeKeyRecord } from '../../../support/factories/key-factory.ts';

const sum = {
  requests: 2,
  tokensIn: 10,
  tokensOut: 20,
  cachedTokens: 4,
  cacheWriteTokens: 1,
  costUsd: 0.5,
  errors: 0,
  priced: 2,
  firstByteMs: 900,
  firstBytes: 2,
  restMs: 4_000,
  restTokensOut: 120,
};
const unpriced = { costUsd: null, priced: 0 };
const data: UsageData = {
  keys: [makeKeyRecord({ id: 'key_one', name: '=cmd|"x"' })],
  usage: [
    { ...sum, period: '2026-03-09', model: 'demo/small', keyId: 'key_one' },
    { ...sum, ...unpriced, period: '2026-03-10', model: 'demo/large', keyId: 'playground_mbr_ada' },
  ],
  span: { periods: ['2026-03-08', '2026-03-09', '2026-03-10'], unit: 'day', range: null },
};

function toFile({ usage, ...file }: UsageData): UsageFile {
  return { ...file, usage: toPages(usage) };
}

const readCsv = async (of: UsageData) => (await respondWithUsageCsv(toFile(of))).text();

test('usage as CSV quotes what needs it, and no cell is a formula', async () => {
  expect(await readCsv(data)).toBe(
    [
      'day,model,key,requests,tokens_in,tokens_out,cost_usd,tokens_cached,tokens_cache_written',
      '2026-03-09,demo/small,"\'=cmd|""x""",2,10,20,0.5,4,1',
      '2026-03-10,demo/large,Playground,2,10,20,,4,1',
      '',
    ].join('\r\n'),
  );
});

test('usage as JSON says of which days it is, and null where no cost is known', async () => {
  expect(await (await respondWithUsageJson(toFile(data))).json()).toMatchObject({
    from: '2026-03-08',
    to: '2026-03-10',
    usage: [
      { day: '2026-03-09', key: '=cmd|"x"', cost_usd: 0.5 },
      { day: '2026-03-10', key: 'Playground', cost_usd: null },
    ],
  });
});

test('a spreadsheet that splits at semicolons finds no cell in a name', async () => {
  const usage = [{ ...sum, period: '2026-03-09', model: 'a;=1+1', keyId: 'key_one' }];
  const keys = [makeKeyRecord({ id: 'key_one', name: 'x\t=2' })];
  const csv = await readCsv({ ...data, keys, usage });
  expect(csv).toContain('\r\n2026-03-09,"a;=1+1","x\t=2",');
});

test.for(['=1', '+1', '-1', '@sum', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠sum'])(
  'a spreadsheet does not run the name %j',
  async (name) => {
    const usage = [{ ...sum, period: '2026-03-09', model: 'm', keyId: 'key_one' }];
    const keys = [makeKeyRecord({ id: 'key_one', name })];
    const csv = await readCsv({ ...data, keys, usage });
    expect(csv).toMatch(/2026-03-09,m,"?'/);
  },
);

test.for([
  [0.000_000_001, '0.000000001'],
  [0.1 + 0.2, '0.3'],
  [1e-12, '0'],
  [1e21, '1000000000000000000000'],
  [12.5, '12.5'],
  [100, '100'],
] as const)('an amount of %d is written as %s, without an exponent', async ([costUsd, text]) => {
  const usage = [{ ...sum, costUsd, period: '2026-03-09', model: 'm', keyId: 'key_one' }];
  expect(await readCsv({ ...data, usage })).toContain(`,20,${text},4,1`);
});

test('usage is summed by day, also those without any, by model and by key', () => {
  const { periods, total, models, keys } = toUsageView(data);
  expect(periods.map(({ period, requests }) => [period, requests])).toEqual([
    ['2026-03-08', 0],
    ['2026-03-09', 2],
    ['2026-03-10', 2],
  ]);
  expect(total).toEqual({
    requests: 4,
    tokensIn: 20,
    tokensOut: 40,
    cachedTokens: 8,
    cacheWriteTokens: 2,
    costUsd: 0.5,
  });
  expect(models).toMatchObject([
    { name: 'demo/small', costUsd: 0.5, unpriced: 0, firstTokenMs: 450, tokensPerSecond: 30 },
    { name: 'demo/large', costUsd: null, unpriced: 2 },
  ]);
  expect(keys.map(({ name }) => name)).toEqual(['=cmd|"x"', 'Playground']);
});

test('a cost that is not known is no zero, and what failed is not missed', () => {
  const [, unknown] = data.usage;
  if (unknown === undefined) throw new Error('There is no such sum.');
  const { costs, unpriced, total } = toUsageView({ ...data, usage: [unknown] });
  expect([costs, unpriced, total.costUsd]).toEqual([[], 2, null]);
  const failed = { ...unknown, errors: 2, firstBytes: 0, restMs: 0 };
  const view = toUsageView({ ...data, usage: [failed] });
  expect(view.unpriced).toBe(0);
  expect(view.models[0]).toMatchObject({ firstTokenMs: null, tokensPerSecond: null });
});

test('a chart counts cached tokens once, and names the four dearest models', () => {
  const usage = Array.from({ length: 7 }, (_, index) => ({
    ...sum,
    period: '2026-03-09',
    model: `demo/${index}`,
    keyId: 'key_one',
    costUsd: index,
  }));
  const { costs, tokens, periods } = toUsageView({ ...data, usage });
  expect(costs).toEqual([
    { name: 'demo/6', values: [0, 6, 0] },
    { name: 'demo/5', values: [0, 5, 0] },
    { name: 'demo/4', values: [0, 4, 0] },
    { name: 'demo/3', values: [0, 3, 0] },
    { name: 'Others', values: [0, 3, 0] },
  ]);
  expect(tokens.map(({ name, values }) => [name, values[1]])).toEqual([
    ['Input', 42],
    ['Cached input', 28],
    ['Output', 140],
  ]);
  expect((periods[1]?.tokensIn ?? 0) + (periods[1]?.tokensOut ?? 0)).toBe(42 + 28 + 140);
});

test('keys of one name have rows of their own', () => {
  const used = { ...sum, period: '2026-03-10', model: 'demo/small' };
  const { keys } = toUsageView({
    ...data,
    keys: [
      makeKeyRecord({ id: 'key_one', name: 'Playground' }),
      makeKeyRecord({ id: 'key_two', name: 'laptop' }),
      makeKeyRecord({ id: 'key_three', name: 'laptop', revokedAt: 1 }),
    ],
    usage: [
      { ...used, keyId: 'key_one', tokensIn: 500 },
      { ...used, keyId: 'playground_mbr_ada', tokensIn: 400 },
      { ...used, keyId: 'key_two', tokensIn: 300 },
      { ...used, keyId: 'key_three', tokensIn: 120 },
    ],
  });
  expect(keys.map(({ name, href, tokensIn }) => [name, href, tokensIn])).toEqual([
    ['Playground', undefined, 500],
    ['Playground', '/account/playground', 400],
    ['laptop', undefined, 300],
    ['laptop (revoked)', undefined, 120],
  ]);
  expect(new Set(keys.map(({ id }) => id)).size).toBe(4);
});

test.for([
  [100, 40, '40%'],
  [1_000, 1, '< 1%'],
  [10, 30, '100%'],
  [100, 0, null],
  [0, 0, null],
] as const)('of %d input tokens %d cached are %s', ([tokensIn, cachedTokens, share]) => {
  expect(formatCachedShare({ ...sum, tokensIn, cachedTokens })).toBe(share);
});

test('usage is summed by coding session, the latest first', () => {
  const recentSessions = [
    { ...sum, keyId: 'key_one', session: 'opencode-2', lastAt: 5 },
    { ...sum, keyId: 'key_one', session: 'codex-1', lastAt: 4 },
    { ...sum, keyId: 'playground_mbr_ada', session: 'opencode-2', lastAt: 9 },
  ];
  expect(toSessionUsages(recentSessions, data)).toMatchObject([
    { session: 'opencode-2', requests: 4, tokensIn: 20, costUsd: 1, lastAt: 9 },
    { session: 'codex-1', requests: 2, lastAt: 4, keyName: '=cmd|"x"' },
  ]);
});
