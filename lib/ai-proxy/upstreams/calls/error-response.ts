const bodyBytesMax = 64 * 1024;

/** A response that is no reply, as far as it is read. */
export class ErrorResponse {
  readonly status: number;
  /** The header, as it was sent. */
  readonly retryAfter: string;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(status: number, retryAfter: string) {
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** @returns whether it is long enough */
  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > bodyBytesMax) return true;
    this.#chunks.push(chunk);
    return false;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}
