import { execFileSync } from 'node:child_process';
import { Agent, get } from 'node:http';
import { format, formatTarget, median, printTable } from '../figures.ts';
import { type Checkouts, listVersions, startCheckout } from '../servers/checkout.ts';
import { startEventsTable } from '../servers/events-table.ts';
import { loadProcessor, type ServerProcess } from '../servers/server-process.ts';

/** Requests to unknown slugs in one storm, and how many of them are in flight. */
const stormRequests = 1_000;
const stormConnections = 16;
const idleRequests = 100;

const agent = new Agent({ keepAlive: true });

/** How long `/` takes while 1,000 unknown slugs are requested, against an idle server. */
export async function benchStorm(checkouts: Checkouts, rounds: number): Promise<void> {
  // The load and the probe must not take time from the server.
  execFileSync('taskset', ['-cp', loadProcessor, String(process.pid)], { stdio: 'ignore' });
  const { airtable, environment } = await startEventsTable();
  const rows: string[][] = [];
  for (const [version, checkout] of listVersions(checkouts)) {
    const server = await startCheckout(checkout, { environment });
    rows.push(...(await measureStorms(server, rounds)).map((row) => [version, ...row]));
    await server.stop();
  }
  agent.destroy();
  const headings = ['version', 'under 1,000 unknown slugs', 'idle p50 ms', 'p50 ms', 'max ms'];
  printTable([...headings, 'ratio', 'target', 'samples', 'statuses of the slugs'], rows);
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
    const statuses = new Map<number, number>();
    for (let round = 0; round < rounds; round++) {
      for (let count = 0; count < idleRequests; count++) idle.push((await probe()).ms);
      const storm = startStorm(server.url, statuses);
      while (!storm.isOver()) stormy.push((await probe()).ms);
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
      [...statuses].map(([status, count]) => `${count} × ${status}`).join(', '),
    ]);
  }
  return rows;
}

function startStorm(url: string, statuses: Map<number, number>) {
  let [left, running] = [stormRequests, stormConnections];
  const work = async () => {
    while (left-- > 0) {
      const { status } = await measure(`${url}/events/${crypto.randomUUID()}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    running--;
  };
  for (let count = 0; count < stormConnections; count++) void work();
  return { isOver: () => running === 0 };
}

/** One GET of a page as a browser sends it; status 0 if the connection broke. */
function measure(url: string): Promise<{ status: number; ms: number }> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const finish = (status: number) => resolve({ status, ms: performance.now() - startedAt });
    get(url, { agent, headers: { Accept: 'text/html', 'Accept-Encoding': 'br' } }, (response) => {
      response.resume().on('end', () => finish(response.statusCode ?? 0));
    }).on('error', () => finish(0));
  });
}
