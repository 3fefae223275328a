import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What clients do that want to harm others; each does it over and over, one after the other. */
const clientsOfKind = 50;
const slowConnections = 500;

type Sent = Readonly<{
  path: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}>;

export type HostileOptions = Readonly<{
  url: string;
  key: string;
  addresses: number;
  /** Which of them; empty: all. */
  kinds: readonly string[];
}>;

/** In a process of its own: sends until it is ended, and reports statuses by kind to its parent. */
function start({ url, key, addresses, kinds }: HostileOptions): void {
  const statuses: Record<string, number> = {};
  for (const [kind, toSent] of Object.entries(createKinds(key))) {
    if (kinds.length > 0 && !kinds.includes(kind)) continue;
    for (let client = 0; client < clientsOfKind; client++) {
      void repeat(url, toAddress(client % addresses), toSent, (status) => {
        const name = `${kind} ${status}`;
        statuses[name] = (statuses[name] ?? 0) + 1;
      });
    }
  }
  for (let at = 0; at < slowConnections; at++) void sendSlowly(url, toAddress(at % addresses));
  process.on('message', () => process.send?.(statuses));
}

function toAddress(index: number): string {
  return `127.0.0.${index + 2}`;
}

function createKinds(key: string): Readonly<Record<string, () => Sent>> {
  let made = 0;
  const json = { 'content-type': 'application/json' };
  const toPost = (path: string, body: string): Sent => ({
    path,
    method: 'POST',
    headers: { ...json, accept: 'application/json', authorization: `Bearer ${key}` },
    body,
  });
  const chat = '/proxy/v1/chat/completions';
  const toChat = (model: string, more = '') =>
    `{"model":"${model}","messages":[{"role":"user","content":"hi"}]${more}}`;
  const numbers = (count: number) =>
    `,"x":[${Array.from({ length: count }, () => '1.0').join(',')}]`;
  const bodies = [
    toPost(chat, toChat('hostile/replies', numbers(59_000))),
    toPost(chat, toChat('hostile/replies', numbers(900_000))),
  ];
  return {
    pages: () => ({ path: `/?q=robots${made++}`, headers: { accept: 'text/html' } }),
    queries: () => ({ path: `/api/v1/events?q=robots${made++}` }),
    mcp: () => {
      const params = { name: 'search', arguments: { query: `robots ${made++}` } };
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      return toPost('/mcp', JSON.stringify(call));
    },
    bodies: () => bodies[made++ % bodies.length] ?? { path: '/' },
    patterns: () => toPost(chat, toChat('hostile/errors')),
  };
}

async function repeat(
  url: string,
  localAddress: string,
  toSent: () => Sent,
  onStatus: (status: number | string) => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
  for (;;) {
    onStatus(await send(url, agent, toSent()).catch(({ code }) => String(code)));
    await delay(1);
  }
}

function send(url: string, agent: Agent, { path, method, headers, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method: method ?? 'GET', headers, agent }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0)).resume();
    });
    sent.on('error', reject).end(body);
  });
}

/** A body that comes a byte a second. */
async function sendSlowly(url: string, localAddress: string): Promise<void> {
  const { hostname: host, port } = new URL(url);
  for (;;) {
    const socket = connect({ host, port: Number(port), localAddress }).on('error', () => {});
    const fields = 'Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 10000';
    socket.write(`POST /mcp HTTP/1.1\r\n${fields}\r\n\r\n`);
    while (!socket.destroyed) {
      socket.write(' ');
      await delay(1000);
    }
  }
}

process.once('message', start);
