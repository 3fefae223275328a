import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { format, median, printTable } from './figures.ts';
import { apiPaths, basePath, startProxy, startUpstream, toBody } from './proxy/proxy-server.ts';
import { type Checkout, checkoutOptions, openCheckouts } from './servers/checkout.ts';
import { startEventsTable } from './servers/events-table.ts';
import { moveToLoadProcessor, type ServerProcess } from './servers/server-process.ts';

/**
 * `npm run bench:memory -- --flags= --flags=--heap-growing-percent=100`: the resident memory and the CPU time of
 * servers with further flags of Node, several processes of each, in turns: at rest; under proxied replies, half of them
 * streams, with `--pages` a tenth of pages; while 20 bodies of 20 MB come at once; and a minute later.
 */
const { values } = parseArgs({
  options: {
    ...checkoutOptions,
    flags: { type: 'string', multiple: true, default: [''] },
    processes: { type: 'string', default: '2' },
    events: { type: 'string', default: '48' },
    requests: { type: 'string', default: '50000' },
    pages: { type: 'boolean', default: false },
  },
});

const connections = 10;
const requestsPerTurn = 100;
const restMs = 60_000;
const pages = ['/', '/calendar', '/api/v1/events?limit=20'];

const picture = Buffer.alloc(15_000_000, 'picture').toString('base64');
const largeBody = JSON.stringify({
  model: 'bench/json',
  messages: [
    {
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } }],
    },
  ],
});

type Subject = Readonly<{
  flags: string;
  server: ServerProcess;
  sendTurn: () => Promise<void>;
  sendLarge: () => Promise<void>;
}>;

async function openSubject(checkout: Checkout, flags: string): Promise<Subject> {
  const nodeArguments = [...checkout.nodeArguments];
  // Later flags win; the last argument is the program.
  nodeArguments.splice(-1, 0, ...flags.split(' ').filter(Boolean));
  const { server, headers } = await startProxy({ ...checkout, nodeArguments }, upstreamUrl, {
    protocols: 'native',
    environment: table.environment,
  });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send = (path: string, body?: string) =>
    new Promise<number>((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      const outgoing = request(server.url + path, { agent, method, headers }, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      });
      outgoing.once('error', reject).end(body);
    });
  let sent = 0;
  const sendNext = async () => {
    const count = sent++;
    const kind = count % 2 === 0 ? 'json' : 'burst';
    const page = values.pages && count % 10 === 9 ? pages[count % pages.length] : undefined;
    const path = page ?? `${basePath}/${apiPaths.chat}`;
    const status = await send(path, page === undefined ? toBody('chat', kind) : undefined);
    if (status !== 200) throw new Error(`${path}: ${status}`);
  };
  return {
    flags,
    server,
    async sendTurn() {
      await Promise.all(Array.from({ length: requestsPerTurn }, sendNext));
    },
    async sendLarge() {
      // What finds no room gets a 503, and comes again.
      const sendOne = async () => {
        while ((await send(`${basePath}/${apiPaths.chat}`, largeBody)) === 503);
      };
      await Promise.all(Array.from({ length: 20 }, sendOne));
    },
  };
}

moveToLoadProcessor();
const { current } = await openCheckouts(values);
const upstream = await startUpstream();
const upstreamUrl = `${upstream.url}/v1`;
const table = await startEventsTable(Number(values.events));
const subjects: Subject[] = [];
for (let process = 0; process < Number(values.processes); process++) {
  for (const flags of values.flags) subjects.push(await openSubject(current, flags));
}

type Figures = { memory: number[]; cpu: number };
const figures = new Map<Subject, Figures>(
  subjects.map((subject) => [subject, { memory: [], cpu: 0 }]),
);
const readMemory = () => {
  for (const [{ server }, { memory }] of figures) memory.push(server.memoryMb().now);
};

const turns = Number(values.requests) / requestsPerTurn;
for (let turn = 0; turn < turns; turn++) {
  if (turn % (turns / 5) === 0) readMemory();
  for (const subject of subjects) {
    const before = subject.server.cpuMicroseconds();
    await subject.sendTurn();
    const cpu = subject.server.cpuMicroseconds() - before;
    const sums = figures.get(subject);
    // Until then the engine compiles.
    if (sums !== undefined && turn >= turns / 5) sums.cpu += cpu / (turns * 0.8 * requestsPerTurn);
  }
}
readMemory();
for (const subject of subjects) await subject.sendLarge();
readMemory();
await new Promise((resolve) => setTimeout(resolve, restMs));
readMemory();

const marks = ['start', '1/5', '2/5', '3/5', '4/5', 'end', '20 × 20 MB', 'a minute later'];
printTable(
  ['MB', ...marks, 'peak', 'CPU µs'],
  values.flags.map((flags) => {
    const own = subjects.filter((subject) => subject.flags === flags);
    const memory = own.map((subject) => figures.get(subject)?.memory ?? []);
    const peaks = own.map(({ server }) => server.memoryMb().peak);
    return [
      flags || 'as it is',
      ...marks.map((_, at) => format(median(memory.map((list) => list[at] ?? Number.NaN)))),
      format(Math.max(...peaks)),
      format(median(own.map((subject) => figures.get(subject)?.cpu ?? Number.NaN))),
    ];
  }),
);
// Stops the servers, too.
process.exit();
