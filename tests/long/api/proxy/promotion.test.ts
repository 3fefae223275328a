import { expect, onTestFinished, test } from 'vitest';
import { forTests } from '../../../support/for-tests.ts';
import { startTestModels } from '../../../support/models/test-models.ts';
import { startPostgres } from '../../../support/programs/postgres.ts';
import { startStandby } from '../../../support/programs/postgres-standby.ts';
import { upstreamKey } from '../../../support/servers/in-process-proxy.ts';
import { startMovablePort } from '../../../support/servers/movable-port.ts';
import { startProxyLoad } from '../../../support/servers/proxy-load.ts';
import { skipWithout } from '../../../support/servers/skip-without.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

skipWithout('postgres');

const models = forTests(() => startTestModels({ key: upstreamKey }));

/** PostgreSQL with a standby, which a test promotes after it has killed the other one. */
async function startPair(isSynchronous: boolean) {
  const primary = await startPostgres();
  onTestFinished(primary.close);
  const url = new URL(await primary.createDatabase());
  const query = (text: string) => primary.query(url.href, text);
  const standby = await startStandby(url.href);
  onTestFinished(standby.close);
  if (isSynchronous) {
    await query(`alter system set synchronous_standby_names = '*'`);
    await query('select pg_reload_conf()');
  }
  const state = isSynchronous ? 'sync' : 'async';
  await expect
    .poll(() => query('select state, sync_state from pg_stat_replication'))
    .toEqual([{ state: 'streaming', sync_state: state }]);
  const address = await startMovablePort(Number(url.port));
  onTestFinished(address.close);
  url.port = String(address.port);
  return {
    databaseUrl: url.href,
    killPrimary: primary.kill,
    async promoteStandby() {
      await standby.promote();
      address.moveTo(standby.port);
    },
  };
}

test.for([
  ['synchronous', 'nothing is lost or counted twice', true],
  ['asynchronous', 'nothing is counted twice', false],
] as const)(
  'once a standby is promoted (%s replication), requests work as before, and %s',
  async ([, , isSynchronous]) => {
    const pair = await startPair(isSynchronous);
    const place = { databaseUrl: pair.databaseUrl, dataDir: makeTestFolder() };
    const { countOf, end } = await startProxyLoad({ place, modelsUrl: models.url });
    await expect.poll(() => countOf(200)).toBeGreaterThan(100);
    await pair.killPrimary();
    await expect.poll(() => countOf(503)).toBeGreaterThan(20);
    await pair.promoteStandby();
    const before = countOf(200);
    await expect.poll(() => countOf(200)).toBeGreaterThan(before + 100);
    const found = await end();
    expect(found.statuses, found.summary).toEqual([200, 503]);
    expect(found.drift).toEqual([]);
    // Of a request whose end was lost, what it was known to need is charged.
    expect(found.tokensReported, found.summary).toBeLessThanOrEqual(found.tokens);
    if (isSynchronous) expect(found.tokensRecorded, found.summary).toBe(found.tokens);
  },
);
