type Limits = Readonly<{
  /** The longest read. */
  readTimeoutMs: number;
  /** The longest wait for a page. */
  pageTimeoutMs: number;
}>;

/** Ends a read that takes too long, or whose pages no longer arrive. */
export class ReadDeadline {
  readonly #controller = new AbortController();
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #forPage: NodeJS.Timeout;

  constructor({ readTimeoutMs, pageTimeoutMs }: Limits) {
    const abort = () => this.#controller.abort();
    this.#forPage = setTimeout(abort, pageTimeoutMs);
    this.#timers = [this.#forPage, setTimeout(abort, readTimeoutMs)];
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  pageArrived(): void {
    this.#forPage.refresh();
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
