import type { IncomingMessage, Server } from 'node:http';
import { readClientAddress, shortenAddress } from '#lib/http/client-address.ts';
import type { Log } from '#lib/http/log.ts';
import { createOpenCounter } from '#lib/http/open-counter.ts';

type SlowBodyOptions = Readonly<{ log: Log; trustedHops: number; slowMs?: number }>;

/** A body that is not complete by then is slow. */
const defaultSlowMs = 2_000;
/** Each keeps a connection until Node gives up its request, after five minutes. */
const slowMax = 32;

/** Closes connections of a client that sends too many slow bodies at once. */
export function limitSlowBodies(server: Server, options: SlowBodyOptions): void {
  const { log, trustedHops, slowMs = defaultSlowMs } = options;
  const open = createOpenCounter(slowMax);

  function count(incoming: IncomingMessage): void {
    if (incoming.complete || incoming.destroyed) return;
    const address = readClientAddress(incoming, trustedHops);
    const end = open(address);
    if (end !== null) {
      incoming.once('close', end);
      return;
    }
    const client = shortenAddress(address);
    log.warn(
      { reason: 'slow_bodies', client },
      'a connection was closed: its body is one too many',
    );
    incoming.destroy();
  }

  function watch(incoming: IncomingMessage): void {
    const { headers } = incoming;
    if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0))
      return;
    const timer = setTimeout(() => count(incoming), slowMs).unref();
    incoming.once('close', () => clearTimeout(timer));
  }

  server.on('request', watch);
  server.on('checkContinue', watch);
}
