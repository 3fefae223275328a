type Limits = Readonly<{
  /** The longest read. */
  readTimeoutMs: number;
  /** The longest wait for a page. */
  pageTimeoutMs: number;
}>;

/** Ends a read that takes too long, or whose pages no longer arrive. */
export class ReadDeadline {
  readonly #controller = new AbortController();
  readonly #limits: Limits;
  readonly #startedAt = performance.now();
  readonly #forRead: NodeJS.Timeout;
  #forPage: NodeJS.Timeout;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#forRead = this.#abortIn(limits.readTimeoutMs);
    this.#forPage = this.#abortIn(limits.pageTimeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What is left of the longest read, ms. */
  get leftMs(): number {
    return this.#limits.readTimeoutMs - (performance.now() - this.#startedAt);
  }

  /** The wait for the next page begins. */
  startPage(): void {
    clearTimeout(this.#forPage);
    this.#forPage = this.#abortIn(this.#limits.pageTimeoutMs);
  }

  /** No page can arrive until the next one starts. */
  holdPage(): void {
    clearTimeout(this.#forPage);
  }

  end(): void {
    clearTimeout(this.#forRead);
    clearTimeout(this.#forPage);
  }

  #abortIn(timeoutMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#controller.abort(), timeoutMs);
  }
}
