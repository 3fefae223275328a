import { LRUCache } from 'lru-cache';
import { boundEntries } from '#lib/http/bound-entries.ts';
import type { Log } from '#lib/http/log.ts';
import { Circuit, type CircuitSettings } from './circuit.ts';
import type { Failure } from './errors/failure.ts';

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
