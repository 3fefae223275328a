import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startTestModels } from '../../support/models/test-models.ts';
import { makeKeysIn } from '../../support/servers/make-key.ts';
import { startMarquee, startTable, toTableSettings } from '../../support/servers/marquee-server.ts';
import { format, median, percentile, printTable } from '../figures.ts';
import type { HostileOptions } from './hostile-load.ts';

/**
 * How long others wait while 500 slow connections and 50 clients of each kind try to keep the server busy: pages,
 * queries, MCP, bodies, and errors that are dear to read. From 50 addresses and from one, next to a calm server of the
 * same run. `--seconds` is the time of each measurement, `--kinds pages,mcp` has only these.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    kinds: { type: 'string', default: '' },
  },
});
const kinds = values.kinds.split(',').filter((kind) => kind !== '');
const measuredMs = Number(values.seconds) * 1000;

/** p95 of what others wait: at most five times that of a calm server, or 100 ms. */
const ratioMax = 5;
const enoughMs = 100;

const folder = mkdtempSync(join(tmpdir(), 'marquee-hostile-'));
const table = await startTable();
const models = await startTestModels({ key: 'sk-models' });
const hostileUpstream = fork(join(import.meta.dirname, 'hostile-upstream.ts'));
const [hostileUrl] = await once(hostileUpstream, 'message');
const path = join(folder, 'upstreams.json');
const upstreams = [
  { name: 'models', url: models.url, keyEnv: 'MODELS_KEY', protocols: ['chat'] },
  { name: 'hostile', url: `${hostileUrl}/v1`, keyEnv: 'MODELS_KEY', protocols: ['chat'] },
];
writeFileSync(path, JSON.stringify({ upstreams }));
const storage = { databaseUrl: null, dataDir: join(folder, 'data') };
const [member, hostile] = await makeKeysIn(storage, null, ['member', 'hostile']);
const server = await startMarquee({
  ...toTableSettings(table),
  DATA_DIR: storage.dataDir,
  AI_UPSTREAMS_FILE: path,
  MODELS_KEY: 'sk-models',
  PROXY_REQUESTS_PER_MINUTE: '1000000',
  PROXY_TOKENS_PER_DAY: '999999999',
});

const event = '/events/overnight-at-the-observatory';
const probes: Readonly<Record<string, () => Promise<Response>>> = {
  'a reply': () =>
    fetch(`${server.url}/proxy/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${member?.text}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'lantern-demo/wick-3-mini',
        messages: [{ role: 'user', content: 'hi' }],
      }),
    }),
  'a page': () => fetch(server.url + event, { headers: { accept: 'text/html' } }),
};

type Waits = Record<string, number[]>;

async function measure(failures: string[]): Promise<Waits> {
  const waits: Waits = {};
  const endsAt = Date.now() + measuredMs;
  const repeat = async ([name, send]: [string, () => Promise<Response>]) => {
    const own: number[] = [];
    waits[name] = own;
    while (Date.now() < endsAt) {
      const startedAt = performance.now();
      const response = await send();
      await response.arrayBuffer();
      own.push(performance.now() - startedAt);
      if (!response.ok) failures.push(`${name} ${response.status}`);
      await delay(20);
    }
  };
  await Promise.all(Object.entries(probes).map(repeat));
  return waits;
}

async function measureWith(addresses: number, failures: string[]) {
  const load = fork(join(import.meta.dirname, 'hostile-load.ts'));
  const options: HostileOptions = { url: server.url, key: hostile?.text ?? '', addresses, kinds };
  load.send(options);
  await delay(3000);
  const waits = await measure(failures);
  load.send('report');
  const [statuses] = await once(load, 'message');
  load.kill('SIGKILL');
  await delay(3000);
  return { waits, statuses: statuses as Readonly<Record<string, number>> };
}

for (const send of Object.values(probes)) await (await send()).arrayBuffer();
const failures: string[] = [];
const calm = await measure(failures);
const rows: string[][] = [];
const unexpected = new Set<string>();
let isMissed = false;
for (const addresses of [50, 1]) {
  const { waits, statuses } = await measureWith(addresses, failures);
  for (const [name, figures] of Object.entries(waits)) {
    const before = percentile(calm[name] ?? [], 0.95);
    const p95 = percentile(figures, 0.95);
    const isMet = p95 <= Math.max(ratioMax * before, enoughMs);
    isMissed ||= !isMet;
    rows.push([
      `${name}, ${addresses} addresses`,
      format(before, 1),
      format(median(figures), 1),
      format(p95, 1),
      format(p95 / before, 1),
      isMet ? 'met' : 'missed',
    ]);
  }
  console.log(`${addresses} addresses:`, statuses);
  for (const status of Object.keys(statuses)) {
    if (!/ (?:200|400|404|429|503)$/.test(status)) unexpected.add(status);
  }
}
printTable(['', 'calm p95, ms', 'p50', 'p95', '÷ calm', '≤ 5 × or 100 ms'], rows);
console.log('failures of others:', failures.length, [...new Set(failures)]);
console.log('other outcomes of hostile clients:', [...unexpected]);
await server.stop();
hostileUpstream.kill('SIGKILL');
await Promise.all([table.close(), models.close()]);
rmSync(folder, { recursive: true, force: true });
process.exit(isMissed || failures.length > 0 ? 1 : 0);
