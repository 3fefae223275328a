import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { groupAddress, readClientAddress, toClientAddress } from './client-address.ts';

/** How clients share the time of this process, so that one that requests a lot does not keep others waiting. */
export type ClientShares = Readonly<{
  /** Whose request it is; null if nobody knows: each such request counts as a client of its own. */
  identify: (request: Request) => string | null;
  /** To be called with every request: a client that has the server for itself is not slowed down. */
  see: (incoming: Pick<IncomingMessage, 'headers' | 'socket'>) => void;
  /** Resolves when the request may go on: of each client one in each turn of the event loop. */
  takeTurn: (request: Request) => Promise<void> | undefined;
  /** Counts work of a client that took much time. */
  spend: (client: string, durationMs: number) => void;
  /** How long its next such work has to wait: while others are active, a client gets a twentieth of the time. */
  toWaitMs: (client: string) => number;
}>;

type ClientSharesOptions = Readonly<{
  /** TRUST_PROXY */
  trustedHops: number;
  /** In ms; monotonic. */
  now?: () => number;
}>;

const share = 1 / 20;
/** What a client may spend ahead, for bursts such as all pages of an event’s visitors behind one address. */
const aheadMs = 2_000;
/** How long a client counts as active after a request. */
const activeMs = 10_000;
const clientsMax = 10_000;

export function createClientShares(options: ClientSharesOptions): ClientShares {
  const { trustedHops, now = () => performance.now() } = options;
  /** Until when each client has used its share. */
  const usedUntil = new LRUCache<string, number>({ max: clientsMax });
  /** The two clients that were active last. */
  let latest = { client: '', at: Number.NEGATIVE_INFINITY };
  let other = latest;
  /** Until then it matters who is active. */
  let watchedUntil = Number.NEGATIVE_INFINITY;
  /** The clients that had a turn in this turn of the event loop, with their further requests. */
  const lines = new Map<string, (() => void)[]>();

  function startTurn(): void {
    for (const [client, line] of lines) {
      const next = line.shift();
      if (next === undefined) lines.delete(client);
      else next();
    }
    if (lines.size > 0) setImmediate(startTurn);
  }

  function identify(request: Request): string | null {
    return toClient(toClientAddress(request, trustedHops));
  }

  return {
    identify,
    see(incoming) {
      const at = now();
      if (at > watchedUntil) return;
      const client = toClient(readClientAddress(incoming as IncomingMessage, trustedHops));
      if (client === null) return;
      if (client !== latest.client) other = latest;
      latest = { client, at };
    },
    takeTurn(request) {
      const client = identify(request);
      if (client === null) return undefined;
      const line = lines.get(client);
      if (line !== undefined) return new Promise((resolve) => line.push(resolve));
      if (lines.size === 0) setImmediate(startTurn);
      lines.set(client, []);
      return undefined;
    },
    spend(client, durationMs) {
      const at = now();
      const earliest = Math.max(
        usedUntil.get(client) ?? Number.NEGATIVE_INFINITY,
        at - aheadMs / share,
      );
      const until = Math.min(earliest, at) + durationMs / share;
      usedUntil.set(client, until);
      if (until > at) watchedUntil = until + activeMs;
    },
    toWaitMs(client) {
      const at = now();
      const seen = latest.client === client ? other : latest;
      if (at - seen.at >= activeMs) return 0;
      return Math.max(0, (usedUntil.get(client) ?? 0) - at);
    },
  };
}

/** Behind a proxy that is not trusted all requests have one address. */
function toClient(address: string): string | null {
  return address === '' || isLocal(address) ? null : groupAddress(address);
}

function isLocal(address: string): boolean {
  return localAddresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

const localAddresses = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  localAddresses.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  localAddresses.addSubnet(network, prefix, 'ipv6');
}
