import { expect, test } from 'vitest';
import { createAiProxy } from '#lib/ai-proxy/ai-proxy.ts';
import { noBudget } from '#lib/config/budget.ts';
import { createDatabase } from '#lib/database.ts';
import { createLedger } from '#lib/spend/ledger/ledger.ts';
import { createTestLog } from '../../support/test-log.ts';

test.for([
  ['AI_UPSTREAM_URL', null, 'k'],
  ['AI_UPSTREAM_KEY', 'http://127.0.0.1:1/v1', null],
  ['AI_UPSTREAM_URL', null, null],
] as const)(
  'without %s every request is a 500 server_misconfigured that names it',
  async ([name, upstreamUrl, upstreamKey]) => {
    const database = createDatabase({ databaseUrl: null, dataDir: '/nowhere' });
    const proxy = createAiProxy({
      worker: { index: 0, count: 1 },
      storage: { dataDir: '/nowhere' },
      database,
      keys: {
        pepper: null,
        previousPepper: null,
        requestsPerMinute: 1,
        tokensPerDay: 1,
        memberBudget: noBudget,
        totalBudget: noBudget,
      },
      keysWorkUntil: () => null,
      site: { url: 'https://events.example' },
      ai: {
        upstreamUrl,
        upstreamKey,
        responses: 'native',
        messages: 'chat',
        models: null,
        upstreams: null,
      },
      proxy: { bodyBytesMax: 1, bodiesBytesMax: null, timeoutSeconds: 1 },
      workers: 1,
      ledger: createLedger({ transactions: database.ledger, log: createTestLog() }),
      trustProxy: 0,
      isOverloaded: () => false,
      now: Date.now,
      log: createTestLog(),
    });
    const expected = { code: 'server_misconfigured', message: expect.stringContaining(name) };
    const response = proxy.respond('createChatCompletion', new Request('http://x/'));
    await expect(response).rejects.toMatchObject(expected);
    await expect(proxy.models.current()).rejects.toMatchObject(expected);
    await proxy.close();
  },
);
