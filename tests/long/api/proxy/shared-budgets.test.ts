import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { openDatabase } from '#lib/database.ts';
import { postJson } from '../../../support/clients/post-json.ts';
import { makeKeyInput } from '../../../support/factories/key-services.ts';
import { forTests } from '../../../support/for-tests.ts';
import { startTestModels } from '../../../support/models/test-models.ts';
import { chatPath, toRequestJson, upstreamKey } from '../../../support/servers/in-process-proxy.ts';
import { openRegister, unlimited } from '../../../support/servers/make-key.ts';
import { startMarquee } from '../../../support/servers/marquee-server.ts';
import { setUpPostgres } from '../../../support/servers/postgres-server.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

const pepper = 'pepper'.repeat(8);
const model = 'lantern-demo/wick-3-mini';
const requestsAtOnce = 200;
const budgetRequests = 20;

const models = forTests(() => startTestModels({ key: upstreamKey }));
const postgres = setUpPostgres();

const setUps: Readonly<Record<string, () => Promise<Environment>>> = {
  'two workers with SQLite': async () => ({ WORKERS: '2' }),
  'two instances with PostgreSQL': async () => ({ DATABASE_URL: await postgres.createDatabase() }),
};

test.for(Object.entries(setUps))(
  'two hundred requests at once, again and again, pass a budget for twenty by one of them at most: %s',
  async ([, setUp]) => {
    const environment = await setUp();
    const place = { databaseUrl: environment.DATABASE_URL ?? null, dataDir: makeTestFolder() };
    const settings = {
      ...environment,
      DATA_DIR: place.dataDir,
      KEY_PEPPER: pepper,
      AI_UPSTREAM_URL: models.url,
      AI_UPSTREAM_KEY: upstreamKey,
      AI_MODELS: 'lantern-demo/*',
    };
    const count = place.databaseUrl === null ? 1 : 2;
    const instances = await Promise.all(
      Array.from({ length: count }, () => startMarquee(settings)),
    );
    for (const instance of instances) onTestFinished(instance.stop);
    const database = await openDatabase(place);
    onTestFinished(database.close);
    const register = openRegister(database, { dataDir: place.dataDir, keyPepper: pepper });
    const body = toRequestJson(chatPath, model, false);
    const send = (text: string, index: number) =>
      postJson((instances[index % count]?.url ?? '') + chatPath, text, body);

    const first = await register.create(makeKeyInput({ name: 'first', ...unlimited }));
    const { total_tokens: step } = (await (await send(first.text, 0)).json()).usage;
    const tokensPerDay = budgetRequests * step;
    const key = await register.create(makeKeyInput({ name: 'key', ...unlimited, tokensPerDay }));
    const statuses = new Map<number, number>();
    let tokens = 0;
    let longest = 0;
    // Until nothing is left; what is only reserved is tried again, as SDKs do.
    for (let round = 0; round < 60 && !statuses.has(402); round += 1) {
      await Promise.all(
        Array.from({ length: requestsAtOnce }, async (_, index) => {
          const response = await send(key.text, index);
          const { usage } = await response.json();
          tokens += usage?.total_tokens ?? 0;
          longest = Math.max(longest, usage?.total_tokens ?? 0);
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        }),
      );
      await delay(50);
    }

    const shown = JSON.stringify(Object.fromEntries(statuses));
    const used = async () => {
      const sums = await database.usage.sumByDayAndModel(key.record.id, '2000-01-01');
      return sums.reduce((sum, { tokensIn, tokensOut }) => sum + tokensIn + tokensOut, 0);
    };
    await expect.poll(used).toBe(tokens);
    expect(await used(), shown).toBeLessThan(tokensPerDay + longest);
    expect(await used(), shown).toBeGreaterThan(tokensPerDay - 2 * longest);
    expect([...statuses.keys()].sort(), shown).toEqual([200, 402, 429]);
    expect(await database.balances.audit()).toEqual([]);
  },
);
