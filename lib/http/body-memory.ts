import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { HttpError } from './errors/errors.ts';

/** What a body takes: its bytes, their text, the values in it, and what is sent to the upstream as text and bytes. */
const bytesOfEach = 5;
/** One owner of keys has at most this part of the memory, unless it has only one body. */
const ownerShare = 1 / 4;
const defaultWaitMs = 1000;

/** A quarter of what this process may use; of several workers each has its part of the machine. */
export function toBodiesBytes(workers: number): number {
  const machine = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
  return Math.floor(Math.min(machine / workers, getHeapStatistics().heap_size_limit) / 4);
}

type Holder = { readonly owner: string; bytes: number };

/** What the bodies of requests, and long events of streams, take in this process together. */
export class BodyMemory {
  readonly #bytesMax: number;
  readonly #waitMs: number;
  #bytes = 0;
  readonly #ofOwners = new Map<string, number>();
  /** Bodies that wait for others to end, the first one first. */
  readonly #waiting = new Set<() => void>();

  constructor(bytesMax: number, waitMs = defaultWaitMs) {
    this.#bytesMax = bytesMax;
    this.#waitMs = waitMs;
  }

  /** Of a request: it holds nothing yet. */
  open(owner: string): HeldBody {
    return new HeldBody(this, owner);
  }

  /** Changes how much one holds. @returns false if there is no room; a body that is alone always has room */
  set(holder: Holder, bytes: number): boolean {
    const more = bytes - holder.bytes;
    const ofOwner = this.#ofOwners.get(holder.owner) ?? 0;
    const hasRoom = (held: number, most: number) => held === holder.bytes || held + more <= most;
    const isAllowed =
      hasRoom(this.#bytes, this.#bytesMax) && hasRoom(ofOwner, this.#bytesMax * ownerShare);
    if (more > 0 && !isAllowed) return false;
    holder.bytes = bytes;
    this.#bytes += more;
    if (ofOwner + more === 0) this.#ofOwners.delete(holder.owner);
    else this.#ofOwners.set(holder.owner, ofOwner + more);
    if (more < 0) for (const retry of this.#waiting) retry();
    return true;
  }

  /** The same, once others have ended. @throws HttpError 503 if there is no room within a second */
  async setInTime(holder: Holder, bytes: number): Promise<void> {
    if (this.set(holder, bytes)) return;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const retry = () => {
      if (this.set(holder, bytes)) resolve(true);
    };
    this.#waiting.add(retry);
    const timer = setTimeout(resolve, this.#waitMs, false);
    const isHeld = await promise;
    clearTimeout(timer);
    this.#waiting.delete(retry);
    if (!isHeld) throw createFullError();
  }
}

/** What one request holds. */
export class HeldBody {
  readonly #memory: BodyMemory;
  readonly #holder: Holder;
  #bodyBytes = 0;
  #eventBytes = 0;
  #isReleased = false;

  constructor(memory: BodyMemory, owner: string) {
    this.#memory = memory;
    this.#holder = { owner, bytes: 0 };
  }

  /** Holds a body of so many bytes. @throws HttpError 503 */
  async hold(length: number): Promise<void> {
    this.#bodyBytes = length * bytesOfEach;
    await this.#memory.setInTime(this.#holder, this.#bodyBytes);
  }

  /** So much of it has come. @throws HttpError 503 */
  grow(length: number): void {
    const bytes = length * bytesOfEach;
    if (bytes <= this.#bodyBytes) return;
    this.#bodyBytes = bytes;
    if (!this.#memory.set(this.#holder, bytes)) throw createFullError();
  }

  /** An event of the reply has so many characters as yet. @returns false if there is no room */
  holdEvent(length: number): boolean {
    const bytes = length > eventLengthFree ? length * bytesOfEach : 0;
    if (bytes === this.#eventBytes || this.#isReleased) return true;
    this.#eventBytes = bytes;
    return this.#memory.set(this.#holder, this.#bodyBytes + bytes);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#memory.set(this.#holder, 0);
  }
}

/** Usual events are not counted. */
const eventLengthFree = 256 * 1024;

function createFullError(): HttpError {
  return new HttpError(503, {
    code: 'server_is_overloaded',
    message:
      'Other requests fill the memory for bodies at the moment. Try again in a few seconds, or send less at once.',
    headers: { 'Retry-After': '2' },
    reason: 'body_memory',
  });
}
