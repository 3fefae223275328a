import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { requirePrograms } from '../programs.ts';
import { findFreePort } from './free-port.ts';
import { startServerProgram } from './server-program.ts';

export type RedisServer = Readonly<{
  url: string;
  /** Removes all that it holds. */
  empty: () => Promise<void>;
  /** Ends every connection but the one that says so. */
  endConnections: () => Promise<void>;
  kill: () => Promise<void>;
  freeze: () => void;
  thaw: () => void;
  /** Again, on the same port, with nothing in it. */
  start: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** A Redis server of its own, in a temporary folder, on a free port of loopback. */
export async function startRedis(): Promise<RedisServer> {
  requirePrograms(['redis-server']);
  const folder = mkdtempSync(join(tmpdir(), 'marquee-redis-'));
  const port = await findFreePort();
  const url = `redis://127.0.0.1:${port}`;
  const start = () =>
    startServerProgram({
      command: 'redis-server',
      given: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
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
