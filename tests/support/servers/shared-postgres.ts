import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { type PostgresServer, startPostgres } from '../programs/postgres.ts';
import { listenOnLoopback } from './loopback-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Responds with the URL of PostgreSQL’s own database, once the server that all files share has started. */
    postgresFinder: string;
  }
}

/** PostgreSQL for all files, once one of them asks for it. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<PostgresServer> | null = null;
  const finder = createServer(async (_, response) => {
    starting ??= startPostgres();
    await starting.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const { url, close } = await listenOnLoopback(finder);
  provide('postgresFinder', url);
  return async () => {
    await close();
    await (await starting)?.close();
  };
}
