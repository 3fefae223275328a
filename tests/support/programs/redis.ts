import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { findFreePort } from '../servers/free-port.ts';
import { startServerProgram } from './server-program.ts';

export type RedisServer = Readonly<{
  url: string;
  /** Deletes all keys. */
  empty: () => Promise<void>;
  /** Closes all other connections. */
  endConnections: () => Promise<void>;
  kill: () => Promise<void>;
  freeze: () => void;
  thaw: () => void;
  /** Restarts it empty on the same port. */
  start: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** Starts Redis in a temporary folder, on a free port of loopback. */
export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-redis-'));
  const port = await findFreePort();
  const url = `redis://127.0.0.1:${port}`;
  const start = () =>
    startServerProgram({
      command: 'redis-server',
      args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
      cwd: folder,
      probe: () => command(url, ['PING']),
    });
  let server = await start();
  return {
    url,
    empty: () => command(url, ['FLUSHALL']),
    endConnections: () => command(url, ['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']),
    kill: () => server.kill(),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    async start() {
      server = await start();
    },
    async close() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function command(url: string, words: string[]): Promise<void> {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.sendCommand(words);
  } finally {
    client.destroy();
  }
}
