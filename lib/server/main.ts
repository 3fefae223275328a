import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { inspect } from 'node:util';
import { loadConfig } from '#lib/config/config.ts';
import { ConfigError } from '#lib/config/config-error.ts';
import { createServices, setServices } from '#lib/services.ts';
import { createNextHandler, isDevelopment } from './next-handler.ts';
import { createPages } from './pages.ts';
import { reloadUpstreamsOnSignal } from './reload-upstreams.ts';
import { createRequestHandler } from './request-handler.ts';
import { createResponseCache } from './response-cache.ts';
import { loadRoutes } from './route-table.ts';
import { closeOnSignal } from './shutdown.ts';
import { loadStaticFiles } from './static-files.ts';

const root = `${import.meta.dirname}/../..`;

/**
 * The process that `npm start` runs. With `--no-warm-up` it does nothing ahead of the first request: tests
 * start many.
 */
async function main(): Promise<void> {
  const services = setServices(createServices(loadConfig(process.env)));
  const { config, log, events, aiProxy, warmUp, representations } = services;
  await aiProxy.open();
  const server = createServer({ keepAliveTimeout: 75_000 });
  const handle = await createNextHandler(server, config.port);
  const requestHandler = createRequestHandler({
    services,
    routes: await loadRoutes(),
    pages: createPages(handle, services),
    files: await loadStaticFiles(root, representations),
    cache: createResponseCache(),
    developmentHandler: isDevelopment ? handle : null,
  });
  server.on('request', requestHandler);
  await listen(server, config.port);
  log.info({ port: config.port, site: config.site.url }, 'ready');
  closeOnSignal(server, services, log);
  reloadUpstreamsOnSignal(services, process.env);
  // Read ahead of the first visitor; the loader logs a failure.
  await events.current().catch(() => {});
  if (process.argv.includes('--no-warm-up')) return;
  warmUp.start();
  await renderFirstPage(config.port);
}

// So that the first visitor does not wait for code to be loaded and compiled.
async function renderFirstPage(port: number): Promise<void> {
  const headers = { accept: 'text/html' };
  await fetch(`http://127.0.0.1:${port}/`, { headers }).catch(() => {});
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

// Errors that an operator can fix are printed as one line.
function isExpected(error: unknown): error is Error {
  return error instanceof Error && ['ConfigError', 'StorageError'].includes(error.name);
}

main().catch((error: unknown) => {
  process.stderr.write(`${isExpected(error) ? error.message : inspect(error)}\n`);
  process.exit(1);
});
