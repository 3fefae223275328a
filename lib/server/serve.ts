import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { format, stripVTControlCharacters } from 'node:util';
import inject from 'light-my-request';
import type { Config } from '#lib/config/config.ts';
import { findExposedFile } from '#lib/config/env-file.ts';
import { findUnknownSettings } from '#lib/config/read-settings.ts';
import type { Log } from '#lib/http/log.ts';
import { createServices, type Services, setServices } from '#lib/services.ts';
import { startMessaging } from '#lib/site/notifications/messaging.ts';
import { isOutage, isStorageError } from '#lib/storage/storage-error.ts';
import { createRoutes } from './load-routes.ts';
import { limitSlowBodies } from './process/limit-slow-bodies.ts';
import { chooseFreePort, listen } from './process/listen.ts';
import { reloadUpstreamsOnSignal } from './process/reload-upstreams.ts';
import { closeOnSignal } from './process/shutdown.ts';
import { startTelemetry } from './process/start-telemetry.ts';
import { limitConnections, logUnreadableRequests } from './process/watch-connections.ts';
import { createNextHandler, isDevelopment } from './rendering/next-handler.ts';
import { createPages } from './rendering/pages.ts';
import { createRequestHandler } from './request-handler.ts';
import { createResponseCache } from './response-cache.ts';
import { loadStaticFiles } from './static-files.ts';
import { watchMemory } from './workers/watch-memory.ts';
import { servingMessage } from './workers/worker-pool.ts';
import { createMachineReads } from './workers/worker-reads.ts';

const root = `${import.meta.dirname}/../..`;
/** How long the start waits for the check of the database; it goes on beside the requests. */
const damageCheckMs = 2_000;

/**
 * Serves in this process: the only one, or a worker. With `--no-warm-up` it does nothing ahead of the first request:
 * tests start many.
 */
export async function serve(initialConfig: Config): Promise<void> {
  const server = createServer({ keepAliveTimeout: 75_000 });
  const machineReads = cluster.isWorker ? createMachineReads() : null;
  const services = setServices(
    createServices(await chooseFreePort(server, initialConfig), { machineReads }),
  );
  const { config, log, events, database, warmUp, representations } = services;
  if (!isDevelopment) logConsole(log);
  reloadUpstreamsOnSignal(services, process.env);
  limitConnections(server, { log });
  logUnreadableRequests(server, log);
  limitSlowBodies(server, { log, trustedHops: config.trustProxy });
  if (config.runsTimers) warnOfSettings(log);
  // The table may be read at any time from now on, and metrics that miss a read would say that there was none.
  const stopTelemetry = await startTelemetry(server, services);
  await database
    .requireIntact(damageCheckMs)
    .catch((error: unknown) => continueWithoutDatabase(error, services));
  services.health.start();
  services.aiProxy.start();
  startMessaging(services, config);
  const handle = await createNextHandler(server, config.port);
  const routes = createRoutes();
  const requestHandler = createRequestHandler({
    services,
    routes,
    pages: createPages(handle, services),
    files: await loadStaticFiles(root, representations),
    cache: createResponseCache(),
    developmentHandler: isDevelopment ? handle : null,
  });
  server.on('request', requestHandler);
  // Clients that wait for a 100 get it once their body is read.
  server.on('checkContinue', requestHandler);
  if (!server.listening) await listen(server, config);
  if (cluster.isWorker) process.send?.(servingMessage);
  else log.info({ port: config.port, site: config.site.url }, 'ready');
  const close = async () => {
    await services.close();
    await stopTelemetry();
  };
  closeOnSignal(server, { ...services, close }, { log, graceMs: config.shutdownSeconds * 1000 });
  const { workerMemoryBytesMax: bytesMax } = config;
  if (cluster.isWorker && bytesMax !== null) watchMemory({ bytesMax });
  // Read ahead of the first visitor; the loader logs a failure.
  await events.load().catch(() => {});
  if (process.argv.includes('--no-warm-up')) return;
  if (config.runsTimers) warmUp.start();
  // So that the first visitor does not wait for code to be loaded and compiled.
  await inject(requestHandler, { url: '/', headers: { accept: 'text/html' } }).catch(() => {});
  await routes.loadAll();
}

function warnOfSettings(log: Log): void {
  for (const text of findUnknownSettings(process.env)) log.warn({}, text);
  const exposed = findExposedFile('.env');
  if (exposed !== null) log.warn({}, exposed);
}

/** What Next prints becomes lines of the log, which is JSON. */
function logConsole(log: Log): void {
  const toText = (values: readonly unknown[]) => stripVTControlCharacters(format(...values)).trim();
  const from = { source: 'next' };
  console.log = (...values) => log.info(from, toText(values));
  console.info = console.log;
  console.warn = (...values) => log.warn({ ...from, problem: toText(values) }, 'a warning of Next');
  console.error = (...values) =>
    log.error({ ...from, problem: toText(values) }, 'an error of Next');
}

/** A database that is away or damaged must not keep the events site from starting; a wrong setting must. */
function continueWithoutDatabase(error: unknown, { config, log }: Services): void {
  const kind = config.storage.databaseUrl === null ? 'file' : 'server';
  if (!isStorageError(error) || !isOutage(error, kind)) throw error;
  log.warn({ code: error.code }, error.message);
}
