import type { ClientShares } from './client-shares.ts';
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
 * Runs work that takes much CPU time. Clients take turns, and one that has used its share of the time waits while
 * others are active; alone, it has all of the time.
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

type FairQueueOptions = Readonly<{
  /** How much runs at once; of each client only one. */
  concurrency: number;
  /** Once so many that may be rejected wait, the client with the most of them loses its last. */
  waitingMax?: number;
  shares: ClientShares;
  /** @param waiting that may be rejected. */
  onChange?: (waiting: number) => void;
}>;

type Waiting = Readonly<{
  client: string;
  start: () => void;
  reject: (error: TurnError) => void;
}>;

const recheckMs = 100;

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { concurrency, waitingMax = Number.POSITIVE_INFINITY, shares, onChange } = options;
  /** By client, the one whose turn is next first. */
  const lines = new Map<string, Set<Waiting>>();
  const running = new Set<string>();
  /** In the order of their arrival. */
  const rejectable = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let unknownClients = 0;

  function toClient(request: Request): string {
    const client = shares.identify(request);
    if (client !== null) return client;
    unknownClients += 1;
    return `unknown ${unknownClients}`;
  }

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
      const waitMs = shares.toWaitMs(client);
      if (waitMs > 0) {
        wakeUpAfter(waitMs);
        continue;
      }
      remove(next);
      running.add(client);
      next.start();
    }
  }

  /** Meanwhile the others may have left. */
  function wakeUpAfter(waitMs: number): void {
    if (timer !== undefined) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        startNext();
      },
      Math.min(waitMs, recheckMs),
    );
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
      const client = toClient(turn.request);
      await waitForTurn(client, turn);
      const startedAt = performance.now();
      try {
        // What came in meanwhile is read first.
        await yieldToEventLoop();
        return await work();
      } finally {
        shares.spend(client, performance.now() - startedAt);
        endTurn(client);
        startNext();
      }
    },
  };
}
