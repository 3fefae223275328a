import type { HttpError } from '#lib/http/errors/errors.ts';

type Waiting = Readonly<{
  resolve: (chunk: Buffer | null) => void;
  reject: (error: HttpError) => void;
}>;

/** How much of a reply is buffered before the upstream is paused. */
const bufferedBytesMax = 64 * 1024;

/** What has come of a reply, until it is read. */
export class ReplyBuffer {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #waiting: Waiting | null = null;
  #end: Readonly<{ error: HttpError | null }> | null = null;

  /** @returns whether no more should come before it is read */
  add(chunk: Buffer): boolean {
    if (this.#waiting !== null) {
      this.#waiting.resolve(chunk);
      this.#waiting = null;
      return false;
    }
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    return this.#bytes >= bufferedBytesMax;
  }

  /** What has come since, or comes next; null at the end. Rejects where the reply has failed. */
  next(): Promise<Buffer | null> {
    const chunk = this.take();
    if (chunk !== null) return Promise.resolve(chunk);
    if (this.#end !== null) {
      const { error } = this.#end;
      return error === null ? Promise.resolve(null) : Promise.reject(error);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>();
    this.#waiting = { resolve, reject };
    return promise;
  }

  /** No more comes. @param error why; null: the reply is complete, or no longer read */
  end(error: HttpError | null): void {
    this.#end = { error };
    if (error === null) this.#waiting?.resolve(null);
    else this.#waiting?.reject(error);
    this.#waiting = null;
  }

  /** What has come since; null: nothing. */
  take(): Buffer | null {
    const [only] = this.#chunks;
    if (only === undefined) return null;
    const chunk = this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    return chunk;
  }
}
