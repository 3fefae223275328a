import { createServer } from 'node:http';
import { ConfigError, loadConfig } from '#lib/config/config.ts';
import { createServices, setServices } from '#lib/services.ts';
import { createFront } from './front.ts';
import { createNextRenderer } from './next-renderer.ts';
import { createPages } from './pages.ts';
import { closeOnSignal } from './shutdown.ts';

/** The process that `npm start` runs: node:http → lane → Next. */
async function main(): Promise<void> {
  const services = setServices(createServices(loadConfig(process.env)));
  const { config, log, events } = services;
  const server = createServer({ keepAliveTimeout: 75_000 });
  const render = await createNextRenderer(server, config.port);
  server.on('request', await createFront(services, createPages(render, services)));
  server.listen(config.port, () => {
    log.info({ port: config.port, site: config.site.url }, 'ready');
  });
  closeOnSignal(server, log);
  // The first visitor need not wait for the table; if it cannot be read now, the loader has said so.
  await events.current().catch(() => {});
}

main().catch((error: unknown) => {
  const known = error instanceof Error && (error instanceof ConfigError || 'syscall' in error);
  process.stderr.write(`${known ? error.message : String((error as Error)?.stack ?? error)}\n`);
  process.exit(1);
});
