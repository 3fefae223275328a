import { expect, test } from 'vitest';
import { forTests } from '../../../support/for-tests.ts';
import { startTestModels } from '../../../support/models/test-models.ts';
import { upstreamKey } from '../../../support/servers/in-process-proxy.ts';
import { setUpOwnPostgres } from '../../../support/servers/postgres-server.ts';
import { startProxyLoad } from '../../../support/servers/proxy-load.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

const models = forTests(() => startTestModels({ key: upstreamKey }));
const postgres = setUpOwnPostgres();

test.for([
  ['is killed and starts again', () => postgres.kill(), () => postgres.start()],
  ['is frozen', async () => postgres.freeze(), async () => postgres.thaw()],
] as const)(
  'while PostgreSQL %s, new requests get a 503, and no record is lost or counted twice',
  async ([, stop, resume]) => {
    const place = { databaseUrl: await postgres.createDatabase(), dataDir: makeTestFolder() };
    const { countOf, end } = await startProxyLoad({ place, modelsUrl: models.url });
    await expect.poll(() => countOf(200)).toBeGreaterThan(100);
    await stop();
    await expect.poll(() => countOf(503)).toBeGreaterThan(50);
    await resume();
    const before = countOf(200);
    await expect.poll(() => countOf(200)).toBeGreaterThan(before + 100);
    const { statuses, tokens, tokensRecorded, drift, summary } = await end();
    expect(statuses, summary).toEqual([200, 503]);
    expect(tokensRecorded, summary).toBe(tokens);
    expect(drift).toEqual([]);
  },
);
