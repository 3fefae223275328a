import { LRUCache } from 'lru-cache';
import type { Log } from '#lib/http/log.ts';
import type { Failure } from './errors/failure.ts';

export type BreakerSettings = Readonly<{
  /** Failures in a row that open a breaker. */
  failuresMax: number;
  /** How long it first stays open; doubled by each failed probe, up to `openMsMax`. */
  openMs: number;
  openMsMax: number;
}>;

/** Calls that may fail together. */
export type CallGroup = Readonly<{
  /** Such as a model's id; by default the call counts for the whole upstream. */
  circuit?: string;
  /** For whom it is made: a member, or an operator's key; by default for everybody. */
  owner?: string;
  /** The client has chosen among the upstream's providers: its failures count for nobody else. */
  isOwnChoice?: boolean;
}>;

/** An admitted call. Call `end` exactly once. */
export type Admission = Readonly<{
  /** The response headers have arrived: that suffices for a probe. */
  responded: () => void;
  end: (health: Failure['health']) => void;
}>;

/** `half-open`: the next call is a probe. */
type BreakerState = 'closed' | 'open' | 'half-open';

/** What is blocked at present. */
export type BlockedCalls = Readonly<{
  /** Of the whole upstream. */
  breaker: BreakerState;
  /** The circuits, such as models, that are blocked for everybody. */
  circuits: readonly string[];
}>;

type Breakers = Readonly<{
  /** Admits a call, or returns for how many ms none is admitted. */
  enter: (group: CallGroup) => Admission | number;
  blocked: () => BlockedCalls;
}>;

type Outcome = 'healthy' | 'failed' | 'unknown';

/** Models come and go, and owners. */
const breakersMax = 2000;
const probeWaitMs = 1000;
/** Clients are told to wait for no longer, though it may stay open. */
const waitMsMax = 30_000;
const everybody = '';

/**
 * The circuit breakers of one upstream. A failed connection counts for the whole upstream; a failed response (5xx,
 * timeout, invalid data, an error in mid-stream) for its circuit and for its owner. So one broken model does not block
 * the others, and an owner that fails alone is blocked alone: the failures that open a circuit for everybody are never
 * all of one owner.
 */
export function createBreakers(
  options: BreakerSettings & Readonly<{ uptime: () => number; log: Log }>,
): Breakers {
  const { failuresMax, uptime, log } = options;
  const whole = create({ circuit: 'all' });
  const circuits = new LRUCache<string, Breaker>({ max: breakersMax });
  const owners = new LRUCache<string, Breaker>({ max: breakersMax });

  function create(fields: Readonly<Record<string, string>>): Breaker {
    const message = 'The circuit breaker of the AI upstream is open after failures in a row.';
    return new Breaker(options, uptime, (openMs) => {
      if (openMs === null) log.info(fields, 'The AI upstream responds again.');
      else log.warn({ ...fields, openMs }, message);
    });
  }

  function find({ circuit, owner = everybody, isOwnChoice = false }: CallGroup): Counted[] {
    if (circuit === undefined) return [];
    // A name that clients make up must not push out a breaker that is open.
    const isShared = !isOwnChoice || owner === everybody;
    const shared = isShared
      ? getOrCreate(circuits, circuit, () => create({ circuit: circuit.slice(0, 100) }))
      : null;
    if (shared !== null && owner === everybody) return [{ breaker: shared, most: failuresMax }];
    const own = getOrCreate(owners, `${owner} ${circuit}`, () => create({ owner }));
    const counted = { breaker: own, most: failuresMax };
    return shared === null ? [counted] : [{ breaker: shared, most: failuresMax / 2 }, counted];
  }

  return {
    blocked: () => ({
      breaker: whole.state(),
      circuits: [...circuits].filter(([, one]) => one.state() !== 'closed').map(([name]) => name),
    }),
    enter(group) {
      const { circuit, owner = everybody } = group;
      const ofCircuit = find(group);
      const entered = [{ breaker: whole, most: failuresMax }, ...ofCircuit];
      const waitMs = Math.max(...entered.map(({ breaker }) => breaker.waitMs()));
      if (waitMs > 0) return Math.min(waitMs, waitMsMax);
      const probes = entered.filter(({ breaker }) => breaker.startProbe());
      const end = (counted: Counted, outcome: Outcome) =>
        counted.breaker.end(outcome, { owner, ...counted, isProbe: probes.includes(counted) });
      return {
        responded() {
          for (const { breaker } of probes) breaker.succeed();
        },
        end(health) {
          for (const counted of entered) {
            const isOfUpstream = counted.breaker === whole;
            const outcome = isOfUpstream
              ? toWholeOutcome(health, circuit === undefined)
              : toOutcome(health);
            end(counted, outcome);
          }
        },
      };
    },
  };
}

/** A breaker, and how many of the failures that open it one owner contributes at most. */
type Counted = Readonly<{ breaker: Breaker; most: number }>;

type End = Readonly<{
  owner: string;
  /** How many of the failures one owner contributes at most. */
  most: number;
  isProbe: boolean;
}>;

/**
 * Opens after failures in a row. After a while it lets one call through as a probe: a response closes it, a failure
 * keeps it open for longer, and an aborted probe lets the next one through. Where one owner cannot open it, one cannot
 * keep it open: that takes failed probes of two.
 */
class Breaker {
  readonly #settings: BreakerSettings;
  readonly #uptime: () => number;
  /** Called with how long it stays open when it opens, and with null when it closes. */
  readonly #onChange: (openMs: number | null) => void;
  /** In a row, by owner. */
  readonly #failures = new Map<string, number>();
  /** Owners whose probes have failed since it last opened. */
  readonly #failedProbes = new Set<string>();
  #openMs: number;
  #openedAt: number | null = null;
  #isProbing = false;

  constructor(
    settings: BreakerSettings,
    uptime: () => number,
    onChange: (openMs: number | null) => void,
  ) {
    this.#settings = settings;
    this.#uptime = uptime;
    this.#onChange = onChange;
    this.#openMs = settings.openMs;
  }

  state(): BreakerState {
    if (this.#openedAt === null) return 'closed';
    return this.#toLeftMs() > 0 ? 'open' : 'half-open';
  }

  /** For how long it admits no call. */
  waitMs(): number {
    if (this.#openedAt === null) return 0;
    return this.#toLeftMs() || (this.#isProbing ? probeWaitMs : 0);
  }

  /** Whether the call that enters is a probe. */
  startProbe(): boolean {
    this.#isProbing = this.#openedAt !== null;
    return this.#isProbing;
  }

  succeed(): void {
    if (this.#openedAt === null) return;
    this.#openedAt = null;
    this.#isProbing = false;
    this.#failures.clear();
    this.#failedProbes.clear();
    this.#openMs = this.#settings.openMs;
    this.#onChange(null);
  }

  end(outcome: Outcome, { owner, most, isProbe }: End): void {
    if (outcome === 'failed' && this.#openedAt === null) this.#fail(owner, most);
    else if (outcome === 'failed' && isProbe) this.#failProbe(owner, most);
    else if (outcome === 'healthy') this.#end(isProbe);
    else if (isProbe) this.#isProbing = false;
  }

  #end(isProbe: boolean): void {
    if (isProbe) this.succeed();
    // A call from before it opened shows nothing about the present.
    if (this.#openedAt === null && this.#failures.size > 0) this.#failures.clear();
  }

  #fail(owner: string, most: number): void {
    const count = Math.min((this.#failures.get(owner) ?? 0) + 1, Math.ceil(most));
    this.#failures.set(owner, count);
    const failures = [...this.#failures.values()].reduce((sum, one) => sum + one, 0);
    if (failures >= this.#settings.failuresMax) this.#open();
  }

  /** Where failures of several owners open it, failed probes of several keep it open. */
  #failProbe(owner: string, most: number): void {
    this.#isProbing = false;
    this.#failedProbes.add(owner);
    if (most < this.#settings.failuresMax && this.#failedProbes.size < 2) return;
    this.#openMs = Math.min(this.#openMs * 2, this.#settings.openMsMax);
    this.#open();
  }

  #open(): void {
    this.#openedAt = this.#uptime();
    this.#isProbing = false;
    this.#failedProbes.clear();
    this.#onChange(this.#openMs);
  }

  #toLeftMs(): number {
    if (this.#openedAt === null) return 0;
    return Math.max(Math.ceil(this.#openedAt + this.#openMs - this.#uptime()), 0);
  }
}

function toWholeOutcome(health: Failure['health'], isAlone: boolean): Outcome {
  if (health === 'unreachable') return 'failed';
  // The connection succeeded.
  if (health === 'failed') return isAlone ? 'failed' : 'healthy';
  return health;
}

function toOutcome(health: Failure['health']): Outcome {
  return health === 'unreachable' ? 'unknown' : health;
}

function getOrCreate<T extends object>(
  cache: LRUCache<string, T>,
  name: string,
  create: () => T,
): T {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const created = create();
  cache.set(name, created);
  return created;
}
