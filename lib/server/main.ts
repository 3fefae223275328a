import './keep-tick-form.ts';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { inspect } from 'node:util';
import { ConfigError, loadConfig } from '#lib/config/config.ts';
import { createServices, setServices } from '#lib/services.ts';
import { createAnswerCache } from './answer-cache.ts';
import { loadAssets, noAssets } from './assets.ts';
import { createFront } from './front.ts';
import { createNextHandler, isDevelopment } from './next-handler.ts';
import { createPages } from './pages.ts';
import { closeOnSignal } from './shutdown.ts';

const root = `${import.meta.dirname}/../..`;

/**
 * The process that `npm start` runs: node:http → lane → Next. With `--no-warm-up` it does nothing that
 * nobody has asked for: tests start many of it.
 */
async function main(): Promise<void> {
  const services = setServices(createServices(loadConfig(process.env)));
  const { config, log, events, aiProxy, warmUp } = services;
  await aiProxy.open();
  const server = createServer({ keepAliveTimeout: 75_000 });
  const handle = await createNextHandler(server, config.port);
  const answers = createAnswerCache();
  const { representations } = services;
  const assets = isDevelopment ? noAssets : await loadAssets(root, { representations, answers });
  const pages = createPages({ handle, services, answers, assets });
  server.on('request', await createFront(services, pages, answers));
  await listen(server, config.port);
  log.info({ port: config.port, site: config.site.url }, 'ready');
  closeOnSignal(server, services, log);
  // The first visitor need not wait for the table; if it cannot be read now, the loader has said so.
  await events.current().catch(() => {});
  if (process.argv.includes('--no-warm-up')) return;
  warmUp.start();
  await renderFirstPage(config.port);
}

// Nor for programs that have yet to be loaded and compiled.
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

// What an operator can mend says so in its one line.
function isExpected(error: unknown): error is Error {
  return error instanceof Error && ['ConfigError', 'StorageError'].includes(error.name);
}

main().catch((error: unknown) => {
  process.stderr.write(`${isExpected(error) ? error.message : inspect(error)}\n`);
  process.exit(1);
});
