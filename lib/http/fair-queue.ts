import { BlockList, isIPv6 } from 'node:net';
import { groupAddress, toClientAddress } from './client-address.ts';
import { HttpError } from './errors/errors.ts';
import { yieldToEventLoop } from './time-slices.ts';

/** How a request waits for its turn. */
export type Turn = Readonly<{
  request: Request;
  /** Rejected rather than added to a full queue; by default it waits, however long the queue is. */
  mayBeRejected?: boolean;
  /** Ends the wait. */
  signal?: AbortSignal;
}>;

/**
 * Runs work that takes much CPU time. Clients take turns, so one that requests a lot waits for others, and they do
 * not wait for it; alone, it has all of the time.
 */
export type FairQueue = Readonly<{
  /** @throws TurnError if the work was not started. */
  run: <T>(turn: Turn, work: () => T | Promise<T>) => Promise<T>;
}>;

const statuses = { 'timed-out': 504, 'queue-full': 503, disconnected: 499 } as const;

export class TurnError extends HttpError {
  readonly outcome: keyof typeof statuses;
  constructor(outcome: TurnError['outcome']) {
    super(statuses[outcome], {
      code: 'too_busy',
      message: 'This server has too much to do at the moment. Try again in a few seconds.',
      headers: { 'Retry-After': '2' },
      reason: outcome,
    });
    this.outcome = outcome;
  }
}

export type FairQueueOptions = Readonly<{
  /** How much runs at once; of each client only one. */
  concurrency: number;
  /** Once so many that may be rejected wait, the client with the most of them loses its last. */
  waitingMax?: number;
  /** TRUST_PROXY */
  trustedHops: number;
  /** @param waiting that may be rejected. */
  onChange?: (waiting: number) => void;
}>;

type Waiting = Readonly<{
  client: string;
  start: () => void;
  reject: (error: TurnError) => void;
}>;

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { concurrency, waitingMax = Number.POSITIVE_INFINITY, trustedHops, onChange } = options;
  /** By client, the one whose turn is next first. */
  const lines = new Map<string, Set<Waiting>>();
  const running = new Set<string>();
  /** In the order of their arrival. */
  const rejectable = new Set<Waiting>();

  function waitForTurn(client: string, turn: Turn): Promise<void> {
    const { request, signal, mayBeRejected = false } = turn;
    return new Promise((resolve, reject) => {
      const signals = [request.signal, ...(signal === undefined ? [] : [signal])];
      const stopListening = () => {
        for (const one of signals) one.removeEventListener('abort', leave);
      };
      const waiting: Waiting = {
        client,
        start() {
          stopListening();
          resolve();
        },
        reject(error) {
          stopListening();
          reject(error);
        },
      };
      function leave() {
        remove(waiting);
        waiting.reject(new TurnError(request.signal.aborted ? 'disconnected' : 'timed-out'));
      }
      lines.set(client, (lines.get(client) ?? new Set()).add(waiting));
      startNext();
      if (!lines.get(client)?.has(waiting)) return;
      for (const one of signals) one.addEventListener('abort', leave);
      if (signals.some(({ aborted }) => aborted)) leave();
      else if (mayBeRejected) addRejectable(waiting);
    });
  }

  function addRejectable(waiting: Waiting): void {
    rejectable.add(waiting);
    if (rejectable.size > waitingMax) rejectLast();
    onChange?.(rejectable.size);
  }

  /** Of clients with equally many, the last to come. */
  function rejectLast(): void {
    const groups = [...Map.groupBy(rejectable, ({ client }) => client).values()];
    const longest = Math.max(...groups.map(({ length }) => length));
    const last = groups.findLast(({ length }) => length === longest)?.at(-1);
    if (last === undefined) return;
    remove(last);
    last.reject(new TurnError('queue-full'));
  }

  function remove(waiting: Waiting): void {
    const line = lines.get(waiting.client);
    line?.delete(waiting);
    if (line?.size === 0) lines.delete(waiting.client);
    if (rejectable.delete(waiting)) onChange?.(rejectable.size);
  }

  function startNext(): void {
    for (const [client, line] of lines) {
      if (running.size >= concurrency) return;
      const [next] = line;
      if (next === undefined || running.has(client)) continue;
      remove(next);
      running.add(client);
      next.start();
    }
  }

  /** The others are next. */
  function endTurn(client: string): void {
    running.delete(client);
    const line = lines.get(client);
    if (line === undefined) return;
    lines.delete(client);
    lines.set(client, line);
  }

  return {
    async run(turn, work) {
      const client = toClient(turn.request, trustedHops);
      await waitForTurn(client, turn);
      try {
        // What came in meanwhile is read first.
        await yieldToEventLoop();
        return await work();
      } finally {
        endTurn(client);
        startNext();
      }
    },
  };
}

let unknownClients = 0;

/** Behind a proxy that is not trusted all requests have one address: each is a client of its own. */
function toClient(request: Request, trustedHops: number): string {
  const address = toClientAddress(request, trustedHops);
  if (address !== '' && !isLocal(address)) return groupAddress(address);
  unknownClients += 1;
  return `unknown ${unknownClients}`;
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
