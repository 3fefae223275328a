import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { inspect } from 'node:util';
import { ConfigError, loadConfig } from '#lib/config/config.ts';
import { createServices, setServices } from '#lib/services.ts';
import { createFront } from './front.ts';
import { createNextRenderer } from './next-renderer.ts';
import { createPages } from './pages.ts';
import { closeOnSignal } from './shutdown.ts';

/** The process that `npm start` runs: node:http → lane → Next. */
async function main(): Promise<void> {
  const services = setServices(createServices(loadConfig(process.env)));
  const { config, log, events, warmUp } = services;
  const server = createServer({ keepAliveTimeout: 75_000 });
  const render = await createNextRenderer(server, config.port);
  server.on('request', await createFront(services, createPages(render, services)));
  await listen(server, config.port);
  log.info({ port: config.port, site: config.site.url }, 'ready');
  closeOnSignal(server, log);
  warmUp.start();
  // The first visitor need not wait for the table; if it cannot be read now, the loader has said so.
  await events.current().catch(() => {});
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (!isErrorCode(error, 'EADDRINUSE')) throw error;
    throw new ConfigError(`PORT holds ${port}, but something else listens there already.`);
  }
}

function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

main().catch((error: unknown) => {
  const isExpected = error instanceof ConfigError;
  process.stderr.write(`${isExpected ? error.message : inspect(error)}\n`);
  process.exit(1);
});
