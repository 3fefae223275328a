import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '#lib/config/config.ts';
import { reloadUpstreamsOnSignal } from '#lib/server/process/reload-upstreams.ts';
import { closeOnSignal } from '#lib/server/process/shutdown.ts';
import { createServices, setServices } from '#lib/services.ts';
import { createHandler } from './marquee-server.ts';

/** The server without pages, so that it needs no build: a process that tests can kill. It prints its port. */
const services = setServices(createServices(loadConfig(process.env)));
await services.database.open();
services.aiProxy.start();
const server = createServer(createHandler(services));
reloadUpstreamsOnSignal(services, process.env);
closeOnSignal(server, services, { log: services.log, graceMs: 3000 });
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`);
});
