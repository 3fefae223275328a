import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { findFreePort } from '../servers/free-port.ts';
import { type ServerProgram, startServerProgram } from './server-program.ts';

/** It starts again empty, on the same port. */
export type RedisServer = ServerProgram &
  Readonly<{
    url: string;
    /** Deletes all keys. */
    empty: () => Promise<void>;
    /** Closes all other connections. */
    endConnections: () => Promise<void>;
    close: () => Promise<void>;
  }>;

/** Starts Redis in a temporary folder, on a free port of loopback. */
export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-redis-'));
  const port = await findFreePort();
  const url = `redis://127.0.0.1:${port}`;
  const server = await startServerProgram({
    command: 'redis-server',
    args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
    cwd: folder,
    probe: async () => void (await command(url, ['PING'])),
  });
  return {
    ...server,
    url,
    async empty() {
      await command(url, ['FLUSHALL']);
    },
    async endConnections() {
      await command(url, ['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
    },
    async close() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function command(url: string, words: string[]): Promise<unknown> {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.sendCommand(words);
  } finally {
    client.destroy();
  }
}
