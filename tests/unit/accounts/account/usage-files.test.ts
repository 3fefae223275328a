import { expect, test } from 'vitest';
import { formatCachedShare, toUsageView } from '#lib/accounts/account/account-view.ts';
import { respondWithUsageCsv } from '#lib/accounts/account/usage-files.ts';
import { makeKeyRecord } from '../../../support/factories/key-factory.ts';

const sum = {
  requests: 2,
  tokensIn: 10,
  tokensOut: 20,
  cachedTokens: 4,
  cacheWriteTokens: 1,
  costUsd: 0.5,
};
const data = {
  keys: [makeKeyRecord({ id: 'key_one', name: '=cmd|"x"' })],
  sessions: [],
  usage: [
    { ...sum, day: '2026-03-09', model: 'demo/small', keyId: 'key_one' },
    { ...sum, day: '2026-03-10', model: 'demo/large', keyId: 'playground_mbr_ada', costUsd: null },
  ],
  recentSessions: [],
  today: '2026-03-10',
  fromDay: '2026-03-08',
};

test('usage as CSV quotes what needs it, and no cell is a formula', async () => {
  expect(await respondWithUsageCsv(data).text()).toBe(
    [
      'day,model,key,requests,tokens_in,tokens_out,cost_usd,tokens_cached,tokens_cache_written',
      '2026-03-09,demo/small,"\'=cmd|""x""",2,10,20,0.5,4,1',
      '2026-03-10,demo/large,Playground,2,10,20,,4,1',
      '',
    ].join('\r\n'),
  );
});

test.for(['=1', '+1', '-1', '@sum', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠sum'])(
  'a spreadsheet does not run the name %j',
  async (name) => {
    const usage = [{ ...sum, day: '2026-03-09', model: 'm', keyId: 'key_one' }];
    const keys = [makeKeyRecord({ id: 'key_one', name })];
    const csv = await respondWithUsageCsv({ ...data, keys, usage }).text();
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
  const usage = [{ ...sum, costUsd, day: '2026-03-09', model: 'm', keyId: 'key_one' }];
  expect(await respondWithUsageCsv({ ...data, usage }).text()).toContain(`,20,${text},4,1`);
});

test('usage is summed by day, also those without any, by model and by key', () => {
  const { days, today, total, models, keys } = toUsageView(data);
  expect(days.map(({ day, requests }) => [day, requests])).toEqual([
    ['2026-03-08', 0],
    ['2026-03-09', 2],
    ['2026-03-10', 2],
  ]);
  expect(today).toMatchObject({ requests: 2, tokensIn: 10, costUsd: null });
  expect(total).toEqual({
    requests: 4,
    tokensIn: 20,
    tokensOut: 40,
    cachedTokens: 8,
    cacheWriteTokens: 2,
    costUsd: 0.5,
  });
  expect(models.map(({ name, tokensIn, tokensOut }) => [name, tokensIn, tokensOut])).toEqual([
    ['demo/small', 10, 20],
    ['demo/large', 10, 20],
  ]);
  expect(keys.map(({ name }) => name)).toEqual(['=cmd|"x"', 'Playground']);
});

test('a key that is named like another row of the table has a row of its own', () => {
  const used = { ...sum, day: '2026-03-10', model: 'demo/small' };
  const { keys } = toUsageView({
    ...data,
    keys: [
      makeKeyRecord({ id: 'key_one', name: 'Playground' }),
      makeKeyRecord({ id: 'key_two', name: 'Revoked keys' }),
    ],
    usage: [
      { ...used, keyId: 'key_one', tokensIn: 500 },
      { ...used, keyId: 'playground_mbr_ada', tokensIn: 400 },
      { ...used, keyId: 'key_two', tokensIn: 300 },
      { ...used, keyId: 'key_three', tokensIn: 120 },
      { ...used, keyId: 'key_four', tokensIn: 100 },
    ],
  });
  expect(keys.map(({ name, href, tokensIn }) => [name, href, tokensIn])).toEqual([
    ['Playground', undefined, 500],
    ['Playground', '/account/playground', 400],
    ['Revoked keys', undefined, 300],
    ['Revoked keys', undefined, 220],
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
  expect(toUsageView({ ...data, recentSessions }).sessions).toMatchObject([
    { session: 'opencode-2', requests: 4, tokensIn: 20, costUsd: 1, lastAt: 9 },
    { session: 'codex-1', requests: 2, lastAt: 4, keyName: '=cmd|"x"' },
  ]);
});
