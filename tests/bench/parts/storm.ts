import { Agent, get } from 'node:http';
import { format, formatTarget, median, printTable } from '../figures.ts';
import { type Checkouts, listVersions, startCheckout } from '../servers/checkout.ts';
import { startEventsTable } from '../servers/events-table.ts';
import { moveToLoadProcessor, type ServerProcess } from '../servers/server-process.ts';
import { load } from '../wrk.ts';

/** How many clients request unknown slugs, and for how long. */
const stormConnections = 8;
const stormSeconds = 2;
const idleRequests = 100;

/** A new slug for each request. */
const stormScript = `
math.randomseed(os.time())
request = function() return wrk.format(nil, "/events/" .. math.random(1e15)) end
`;

const agent = new Agent({ keepAlive: true });

/**
 * How long `/` takes while eight clients request unknown slugs, against an idle server. A program of its own makes the
 * requests, so that the probe waits for the server alone.
 */
export async function benchStorm(checkouts: Checkouts, rounds: number): Promise<void> {
  moveToLoadProcessor();
  const { airtable, environment } = await startEventsTable();
  const rows: string[][] = [];
  for (const [version, checkout] of listVersions(checkouts)) {
    const server = await startCheckout(checkout, { environment });
    rows.push(...(await measureStorms(server, rounds)).map((row) => [version, ...row]));
    await server.stop();
  }
  agent.destroy();
  const headings = ['version', 'under unknown slugs', 'idle p50 ms', 'p50 ms', 'max ms'];
  printTable([...headings, 'ratio', 'target', 'samples', 'CPU µs a slug'], rows);
  await airtable.close();
}

let searches = 0;
const pages: Readonly<Record<string, () => string>> = {
  '/ (cached)': () => '/',
  '/?q=… (rendered)': () => `/?q=${searches++}`,
};

async function measureStorms(server: ServerProcess, rounds: number): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [name, toPath] of Object.entries(pages)) {
    const probe = () => measure(server.url + toPath());
    for (let count = 0; count < 20; count++) await probe();
    const idle: number[] = [];
    const stormy: number[] = [];
    const cpuCosts: number[] = [];
    for (let round = 0; round < rounds; round++) {
      for (let count = 0; count < idleRequests; count++) idle.push(await probe());
      let isOver = false;
      const storm = load(server, {
        path: '/',
        script: stormScript,
        headers: { Accept: 'text/html' },
        connections: stormConnections,
        seconds: stormSeconds,
        mayFail: true,
      }).finally(() => {
        isOver = true;
      });
      while (!isOver) stormy.push(await probe());
      cpuCosts.push((await storm).cpuMicroseconds);
    }
    const ratio = median(stormy) / median(idle);
    rows.push([
      name,
      format(median(idle), 2),
      format(median(stormy), 2),
      format(Math.max(...stormy), 1),
      format(ratio, 1),
      formatTarget(ratio, { atMost: 3 }),
      String(stormy.length),
      format(median(cpuCosts), 0),
    ]);
  }
  return rows;
}

/** One GET of a page as a browser sends it, in ms. */
function measure(url: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { Accept: 'text/html', 'Accept-Encoding': 'br' } }, (response) => {
      response.resume().on('end', () => resolve(performance.now() - startedAt));
    }).on('error', reject);
  });
}
