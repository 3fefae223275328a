import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { postJson } from '../../support/clients/post-json.ts';
import { forTests } from '../../support/for-tests.ts';
import { startTestModels } from '../../support/models/test-models.ts';
import { chatPath, toRequestJson, upstreamKey } from '../../support/servers/in-process-proxy.ts';
import { makeKeysIn } from '../../support/servers/make-key.ts';
import { startMarquee } from '../../support/servers/marquee-server.ts';
import { setUpOwnPostgres } from '../../support/servers/postgres-server.ts';
import { closeOpenUsage } from '../../support/store-usage.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

const pepper = 'pepper'.repeat(8);
const models = forTests(() => startTestModels({ key: upstreamKey }));
const postgres = setUpOwnPostgres();

test.for([
  ['is killed and starts again', () => postgres.kill(), () => postgres.start()],
  ['is frozen', async () => postgres.freeze(), async () => postgres.thaw()],
] as const)(
  'while PostgreSQL %s, new requests get a 503, and no record is lost or counted twice',
  async ([, stop, resume]) => {
    const place = { databaseUrl: await postgres.createDatabase(), dataDir: makeTestFolder() };
    const names = Array.from({ length: 8 }, (_, index) => `client ${index}`);
    const keys = await makeKeysIn(place, pepper, names);
    const settings = {
      DATABASE_URL: place.databaseUrl,
      DATA_DIR: place.dataDir,
      KEY_PEPPER: pepper,
      AI_UPSTREAM_URL: models.url,
      AI_UPSTREAM_KEY: upstreamKey,
      AI_MODELS: 'lantern-demo/*',
    };
    const instances = [await startMarquee(settings), await startMarquee(settings)];
    for (const instance of instances) onTestFinished(instance.stop);
    const statuses = new Map<number, number>();
    const countOf = (status: number) => statuses.get(status) ?? 0;
    let isOver = false;
    let tokens = 0;

    async function runClient(text: string, index: number): Promise<void> {
      const url = (instances[index % 2]?.url ?? '') + chatPath;
      while (!isOver) {
        const body = toRequestJson(chatPath, 'lantern-demo/wick-3-mini', false);
        const response = await postJson(url, text, body);
        const { usage } = await response.json();
        statuses.set(response.status, countOf(response.status) + 1);
        if (response.status !== 503) {
          tokens += usage.total_tokens;
          continue;
        }
        expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(5);
        await delay(20);
      }
    }

    const clients = Promise.all(keys.map(({ text }, index) => runClient(text, index)));
    await expect.poll(() => countOf(200)).toBeGreaterThan(100);
    await stop();
    await expect.poll(() => countOf(503)).toBeGreaterThan(50);
    await resume();
    const before = countOf(200);
    await expect.poll(() => countOf(200)).toBeGreaterThan(before + 100);
    isOver = true;
    await clients;
    for (const instance of instances) expect(await instance.terminate()).toBe(0);

    const database = await openDatabase(place);
    onTestFinished(database.close);
    await closeOpenUsage(database);
    const sums = await database.run((db) =>
      db.selectFrom('marquee_usage_by_hour').select(['tokens_in', 'tokens_out']).execute(),
    );
    const used = sums.reduce((sum, row) => sum + row.tokens_in + row.tokens_out, 0);
    expect([...statuses.keys()].sort()).toEqual([200, 503]);
    expect(used).toBe(tokens);
    expect(await database.balances.audit()).toEqual([]);
  },
);
