export type CircuitSettings = Readonly<{
  /** Failures in a row that open it. */
  failuresMax: number;
  /** How long it first stays open; doubled by each failed probe, up to `openMsMax`. */
  openMs: number;
  openMsMax: number;
  /** A monotonic clock, in ms. */
  uptime: () => number;
  /** Called with how long it stays open when it opens, and with null when it closes. */
  onChange: (openMs: number | null) => void;
}>;

type Outcome = 'healthy' | 'failed' | 'unknown';

const probeWaitMs = 1000;
/** How long an owner counts as one who uses it. */
const usedMs = 60_000;

/**
 * Opens after failures in a row: for all after those of at least two owners, else for the one whose requests fail, if
 * nobody else uses it: they may be at fault. After a while it lets one call through as a probe: a response closes it, a failure keeps it open for longer,
 * by the same rule, and an aborted probe lets the next one through.
 */
export class Circuit {
  readonly #settings: CircuitSettings;
  #openMs: number;
  #openedAt: number | null = null;
  /** Else only for the owner that failed last. */
  #isOpenForAll = false;
  #isProbing = false;
  /** In a row, since it last opened or closed. */
  #failures = 0;
  #failedOwner: string | null = null;
  #isOfSeveral = false;
  #lastOwner: string | null = null;
  #lastUsedAt = Number.NEGATIVE_INFINITY;
  /** When another owner than the last one last used it. */
  #otherUsedAt = Number.NEGATIVE_INFINITY;

  constructor(settings: CircuitSettings) {
    this.#settings = settings;
    this.#openMs = settings.openMs;
  }

  /** `half-open`: the next call is a probe. */
  state(): 'closed' | 'open' | 'half-open' {
    if (this.#openedAt === null) return 'closed';
    return this.#toLeftMs(this.#openedAt) > 0 ? 'open' : 'half-open';
  }

  /** For how long it admits no call of this owner, ms. */
  waitMs(owner: string | null): number {
    if (this.#openedAt === null || !this.#isOpenFor(owner)) return 0;
    return this.#toLeftMs(this.#openedAt) || (this.#isProbing ? probeWaitMs : 0);
  }

  /** An owner calls, whether that is admitted or not. */
  use(owner: string | null): void {
    if (owner !== this.#lastOwner) this.#otherUsedAt = this.#lastUsedAt;
    this.#lastOwner = owner;
    this.#lastUsedAt = this.#settings.uptime();
  }

  /** Whether the call that is admitted is a probe. */
  startProbe(owner: string | null): boolean {
    if (this.#openedAt === null || !this.#isOpenFor(owner)) return false;
    this.#isProbing = true;
    return true;
  }

  succeed(): void {
    this.#forget();
    if (this.#openedAt === null) return;
    this.#openedAt = null;
    this.#openMs = this.#settings.openMs;
    this.#settings.onChange(null);
  }

  end(outcome: Outcome, owner: string | null, isProbe: boolean): void {
    // A call from before it opened shows nothing about the present.
    if (this.#openedAt !== null && !isProbe && this.#isOpenFor(owner)) return;
    if (outcome === 'healthy') this.succeed();
    else if (outcome === 'failed') this.#fail(owner);
    else if (isProbe) this.#isProbing = false;
  }

  #fail(owner: string | null): void {
    const { failuresMax, openMsMax } = this.#settings;
    this.#isProbing = false;
    const hasFailed = this.#failures > 0 || (this.#openedAt !== null && !this.#isOpenForAll);
    this.#isOfSeveral ||= hasFailed && owner !== this.#failedOwner;
    this.#failedOwner = owner;
    this.#failures += 1;
    const isEnough = this.#openedAt !== null || this.#failures >= failuresMax;
    if (!isEnough || (!this.#isOfSeveral && this.#hasOthers(owner))) return;
    if (this.#openedAt !== null) this.#openMs = Math.min(this.#openMs * 2, openMsMax);
    this.#openedAt = this.#settings.uptime();
    this.#isOpenForAll = this.#isOfSeveral || owner === null;
    this.#forget();
    this.#settings.onChange(this.#openMs);
  }

  #isOpenFor(owner: string | null): boolean {
    return this.#isOpenForAll || owner === null || owner === this.#failedOwner;
  }

  #hasOthers(owner: string | null): boolean {
    const usedAt = owner === this.#lastOwner ? this.#otherUsedAt : this.#lastUsedAt;
    return this.#settings.uptime() - usedAt < usedMs;
  }

  #forget(): void {
    this.#isProbing = false;
    this.#failures = 0;
    this.#isOfSeveral = false;
  }

  #toLeftMs(openedAt: number): number {
    return Math.max(Math.ceil(openedAt + this.#openMs - this.#settings.uptime()), 0);
  }
}
