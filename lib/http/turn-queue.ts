import { waitForLongTurn } from './time-slices.ts';

/** A request that waits for its turn. */
export type Turn = Readonly<{
  request: Request;
  /** Whose request it is: its address. */
  client: string;
  /** Requests with the same key share a turn. */
  key: unknown;
  /** Ends the wait. */
  deadline: AbortSignal;
}>;

/** Its turn did not come. */
export class TurnError extends Error {
  readonly outcome: 'timed-out' | 'queue-full' | 'disconnected';
  constructor(outcome: TurnError['outcome']) {
    super(`A turn did not come: ${outcome}`);
    this.outcome = outcome;
  }
}

type Waiting = Turn & PromiseWithResolvers<void> & Readonly<{ round: number }>;

type TurnQueueOptions = Readonly<{
  concurrency: number;
  /** How many may wait. */
  waitingMax: number;
  onChange: (waiting: number) => void;
}>;

/** What takes long waits in rounds, each with one of each client, so nobody waits for all that another has requested. */
export class TurnQueue {
  readonly #options: TurnQueueOptions;
  readonly #running = new Set<unknown>();
  /** In the order of their turns. */
  #waiting: readonly Waiting[] = [];
  #round = 0;

  constructor(options: TurnQueueOptions) {
    this.#options = options;
  }

  /** @throws TurnError */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    if (!this.#running.has(turn.key)) await this.#wait(turn);
    try {
      // What came in meanwhile is read first.
      await waitForLongTurn();
      return await work();
    } finally {
      this.#running.delete(turn.key);
      this.#startNext();
    }
  }

  async #wait(turn: Turn): Promise<void> {
    const { request, deadline } = turn;
    const waiting = { ...turn, ...Promise.withResolvers<void>(), round: this.#toRound(turn) };
    const leave = () =>
      this.#reject(waiting, request.signal.aborted ? 'disconnected' : 'timed-out');
    const signal = AbortSignal.any([request.signal, deadline]);
    signal.addEventListener('abort', leave);
    this.#setWaiting([...this.#waiting, waiting].toSorted((a, b) => a.round - b.round));
    if (signal.aborted) leave();
    this.#startNext();
    // The last turn belongs to the client that has the most.
    while (this.#size > this.#options.waitingMax) this.#reject(this.#waiting.at(-1), 'queue-full');
    await waiting.promise;
  }

  /** The round after its client’s last; for one that already waits with its key, that one’s if it is earlier. */
  #toRound({ client, key }: Turn): number {
    const last = this.#waiting.findLast((waiting) => waiting.client === client);
    const shared = this.#waiting.find((waiting) => waiting.key === key);
    return Math.min((last?.round ?? this.#round) + 1, shared?.round ?? Number.POSITIVE_INFINITY);
  }

  #startNext(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#running.size >= this.#options.concurrency) return;
    this.#round = next.round;
    this.#running.add(next.key);
    const started = this.#waiting.filter(({ key }) => key === next.key);
    this.#setWaiting(this.#waiting.filter(({ key }) => key !== next.key));
    for (const { resolve } of started) resolve();
  }

  #reject(rejected: Waiting | undefined, outcome: TurnError['outcome']): void {
    this.#setWaiting(this.#waiting.filter((waiting) => waiting !== rejected));
    rejected?.reject(new TurnError(outcome));
  }

  #setWaiting(waiting: readonly Waiting[]): void {
    this.#waiting = waiting;
    this.#options.onChange(this.#size);
  }

  get #size(): number {
    return new Set(this.#waiting.map(({ key }) => key)).size;
  }
}
