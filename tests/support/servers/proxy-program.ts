import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '#lib/config/config.ts';
import { createTextResponse } from '#lib/http/response.ts';
import { createRoutes } from '#lib/server/load-routes.ts';
import { reloadUpstreamsOnSignal } from '#lib/server/process/reload-upstreams.ts';
import { closeOnSignal } from '#lib/server/process/shutdown.ts';
import { createRequestHandler } from '#lib/server/request-handler.ts';
import { createResponseCache } from '#lib/server/response-cache.ts';
import { createServices, setServices } from '#lib/services.ts';

/** The server without pages, so that it needs no build: a process that tests can kill. It prints its port. */
const services = setServices(createServices(loadConfig(process.env)));
await services.database.open();
services.aiProxy.start();
const server = createServer(
  createRequestHandler({
    services,
    routes: createRoutes(),
    pages: async () => createTextResponse(200, 'page'),
    files: { respond: () => null },
    cache: createResponseCache(),
    developmentHandler: null,
  }),
);
reloadUpstreamsOnSignal(services, process.env);
closeOnSignal(server, services, { log: services.log, graceMs: 3000 });
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`);
});
