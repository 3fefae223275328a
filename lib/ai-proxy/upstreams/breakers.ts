import { LRUCache } from 'lru-cache';
import { boundEntries } from '#lib/http/bound-entries.ts';
import type { Log } from '#lib/http/log.ts';
import type { Failure } from './errors/upstream-failure.ts';

export type BreakerSettings = Omit<CircuitSettings, 'uptime' | 'onChange'>;

/** Calls that may fail together. */
export type CallGroup = Readonly<{
  /** Such as a model’s id. Null: what it leads to is the client’s own choice, and says nothing about a model. */
  circuit: string | null;
  /** For whom it is made: a member, or an operator's key; null: for everybody. */
  owner: string | null;
}>;

/** An admitted call. Call `end` exactly once. */
export type Admission = Readonly<{
  /** The response headers have arrived: that suffices for a probe. */
  responded: () => void;
  end: (health: Failure['health']) => void;
}>;

/** What is blocked at present. */
export type BlockedCalls = Readonly<{
  /** Of the whole upstream. */
  breaker: ReturnType<Circuit['state']>;
  /** The circuits, such as models, that are blocked. */
  circuits: readonly string[];
}>;

type Breakers = Readonly<{
  /** Admits a call, or returns for how many ms none is admitted. */
  enter: (group: CallGroup) => Admission | number;
  blocked: () => BlockedCalls;
}>;

/** Models come and go. */
const circuitsMax = 2000;
/** Clients are told to wait for no longer, though it may stay open. */
const waitMsMax = 30_000;

/**
 * The circuit breakers of one upstream: a failed connection counts for all of it, a failed response (5xx, timeout,
 * invalid data, an error in mid-stream) for its circuit, so that one broken model does not block the others.
 */
export function createBreakers(
  options: BreakerSettings & Readonly<{ uptime: () => number; log: Log }>,
): Breakers {
  const { log } = options;
  const whole = create('all');
  const circuits = new LRUCache<string, Circuit>(boundEntries(circuitsMax));

  function create(circuit: string): Circuit {
    const message = 'The circuit breaker of the AI upstream is open after failures in a row.';
    return new Circuit({
      ...options,
      onChange(openMs) {
        if (openMs === null) log.info({ circuit }, 'The AI upstream responds again.');
        else log.warn({ circuit, openMs }, message);
      },
    });
  }

  function find(name: string): Circuit {
    const found = circuits.get(name);
    if (found !== undefined) return found;
    const created = create(name.slice(0, 100));
    circuits.set(name, created);
    return created;
  }

  return {
    blocked: () => ({
      breaker: whole.state(),
      circuits: [...circuits]
        .filter(([, found]) => found.state() !== 'closed')
        .map(([name]) => name),
    }),
    enter({ circuit, owner }) {
      const own = circuit === null ? null : find(circuit);
      own?.use(owner);
      const waitMs = Math.max(whole.waitMs(null), own?.waitMs(owner) ?? 0);
      if (waitMs > 0) return Math.min(waitMs, waitMsMax);
      const isProbeOfAll = whole.startProbe(null);
      const isProbe = own?.startProbe(owner) ?? false;
      return {
        responded() {
          if (isProbeOfAll) whole.succeed();
          if (isProbe) own?.succeed();
        },
        end(health) {
          // The connection of a response that failed has succeeded.
          const ofAll = health === 'failed' ? 'healthy' : health;
          whole.end(ofAll === 'unreachable' ? 'failed' : ofAll, null, isProbeOfAll);
          own?.end(health === 'unreachable' ? 'unknown' : health, owner, isProbe);
        },
      };
    },
  };
}

type CircuitSettings = Readonly<{
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
class Circuit {
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
