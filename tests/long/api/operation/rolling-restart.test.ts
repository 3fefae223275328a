import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { forTests } from '../../../support/for-tests.ts';
import { startNginx } from '../../../support/programs/nginx.ts';
import {
  startMarquee,
  startTable,
  toTableSettings,
} from '../../../support/servers/marquee-server.ts';
import { skipWithout } from '../../../support/servers/skip-without.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

/** `npm run rolling-restart` restarts ten times. */
const restarts = Number(process.env.MARQUEE_RESTARTS ?? 1);
const requestsPerSecond = 200;
/** Open at once: a busy machine gets fewer a second, since more would only wait for each other. */
const openMax = 32;

const isInstalled = skipWithout('nginx') && skipWithout('openssl') && skipWithout('bwrap');
const table = forTests(() => startTable());

test.runIf(isInstalled)(
  `restarting two instances in turns at up to ${requestsPerSecond} requests/s fails none`,
  async () => {
    const upstream = { AI_UPSTREAM_URL: 'http://127.0.0.1:1/v1', AI_UPSTREAM_KEY: 'none' };
    const settings = { ...toTableSettings(table), ...upstream, TRUST_PROXY: '1' };
    const instances = [await startMarquee(settings), await startMarquee(settings)];
    const errorLog = join(makeTestFolder(), 'error.log');
    const nginx = await startNginx(
      instances.map(({ port }) => port),
      { errorLog },
    );
    onTestFinished(nginx.close);
    // Each has an address of its own: nginx bounds what one client may request.
    const connect = { ca: nginx.certificate };
    const clients = Array.from(
      { length: 8 },
      (_, index) => new Agent({ connections: 16, connect, localAddress: `127.0.0.${index + 2}` }),
    );
    const failures: unknown[] = [];
    const pending = new Set<Promise<void>>();
    let sent = 0;

    async function send(): Promise<void> {
      sent += 1;
      const number = sent;
      // Each second one must not be repeated; its key is not valid. URLs differ, so that nginx has none in its cache.
      const isPost = number % 2 === 0;
      const path = isPost ? '/proxy/v1/chat/completions' : `/api/v1/events?limit=1&q=n${number}`;
      try {
        const method = isPost ? 'POST' : 'GET';
        const dispatcher = clients[Math.trunc(number / 2) % clients.length] ?? null;
        const options = { method, ...(dispatcher && { dispatcher }) } as const;
        const { statusCode, body } = await request(nginx.url + path, options);
        await body.dump();
        if (statusCode !== (isPost ? 401 : 200)) failures.push({ number, isPost, statusCode });
      } catch (error) {
        failures.push({ number, isPost, error: String(error) });
      }
    }

    const timer = setInterval(() => {
      for (let count = 0; count < requestsPerSecond / 20 && pending.size < openMax; count++) {
        const work = send().finally(() => pending.delete(work));
        pending.add(work);
      }
    }, 50);
    for (let round = 0; round < restarts; round++) {
      for (const [index, instance] of instances.entries()) {
        await delay(500);
        expect(await instance.terminate()).toBe(0);
        instances[index] = await startMarquee({ ...settings, PORT: String(instance.port) });
      }
    }
    await delay(500);
    clearInterval(timer);
    await Promise.all(pending);
    await Promise.all(clients.map((client) => client.close()));
    for (const instance of instances) await instance.stop();
    console.log(`${2 * restarts} restarts, ${sent} requests, ${failures.length} failed`);
    expect(failures, readFileSync(errorLog, 'utf8').slice(0, 5000)).toEqual([]);
  },
  60_000 * (restarts + 1),
);
