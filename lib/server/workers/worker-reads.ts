import type { Worker } from 'node:cluster';
import type { MachineReads, PackedRead } from '#lib/events/source/stored-read/machine-source.ts';
import { withTimeout } from '#lib/http/with-timeout.ts';

/** From a worker to the primary: it wants a read, or has one for the others. */
type Message =
  | Readonly<{ table: 'find'; ageMaxMs: number }>
  | Readonly<{ table: 'publish'; read: PackedRead | null }>;

/** From the primary. */
type Reply = Readonly<{ table: 'found'; read: PackedRead | null }>;

/** The longest wait for another worker; after that this one reads for itself. */
const waitMaxMs = 30_000;

/** In a worker: reads of the table that the primary hands from one to another. */
export function createMachineReads(): MachineReads {
  // The primary may have ended meanwhile.
  const send = (message: Message) => process.send?.(message, undefined, {}, () => {});
  return {
    async find(ageMaxMs) {
      const { promise, resolve } = Promise.withResolvers<PackedRead | null>();
      const onMessage = (message: unknown) => {
        if (isOfTable(message) && message.table === 'found') resolve(message.read);
      };
      process.on('message', onMessage);
      try {
        send({ table: 'find', ageMaxMs });
        return await withTimeout(promise, waitMaxMs);
      } catch {
        return null;
      } finally {
        process.off('message', onMessage);
      }
    },
    publish: (read) => void send({ table: 'publish', read }),
  };
}

/** In the primary: lets one worker read the table for all, while they have no database to share it by. */
export class WorkerReads {
  #latest: PackedRead | null = null;
  #reader: Worker | null = null;
  readonly #waiting = new Set<Worker>();

  /** Takes any message of a worker. */
  receive(worker: Worker, message: unknown): void {
    if (!isOfTable(message)) return;
    if (message.table === 'find') this.#find(worker, message.ageMaxMs);
    if (message.table === 'publish') this.#publish(worker, message.read);
  }

  /** Nobody waits for a worker that has ended. */
  end(worker: Worker): void {
    this.#waiting.delete(worker);
    if (worker === this.#reader) this.#publish(worker, null);
  }

  #find(worker: Worker, ageMaxMs: number): void {
    const ageMs =
      this.#latest === null ? Number.POSITIVE_INFINITY : Date.now() - this.#latest.readAtMs;
    if (ageMs >= 0 && ageMs < ageMaxMs) reply(worker, this.#latest);
    else if (this.#reader !== null && this.#reader !== worker) this.#waiting.add(worker);
    else {
      this.#reader = worker;
      reply(worker, null);
    }
  }

  #publish(worker: Worker, read: PackedRead | null): void {
    if (worker === this.#reader) this.#reader = null;
    if (read !== null) this.#latest = read;
    if (this.#reader !== null) return;
    for (const other of this.#waiting) reply(other, read);
    this.#waiting.clear();
  }
}

function reply(worker: Worker, read: PackedRead | null): void {
  const message: Reply = { table: 'found', read };
  // The callback takes the error of a worker that ends now.
  worker.send(message, () => {});
}

/** There are others: of metrics, and that a worker serves. */
function isOfTable(message: unknown): message is Message | Reply {
  return typeof message === 'object' && message !== null && 'table' in message;
}
