import type { Log } from '#lib/http/log.ts';
import type { Failure } from '../errors/failure.ts';
import { type Breaker, type BreakerState, createBreaker, type Outcome } from './breaker.ts';
import { createBreakerStore } from './breaker-store.ts';

export type BreakerSettings = Readonly<{ failuresMax: number; openMs: number; openMsMax: number }>;

export type BreakersOptions = BreakerSettings & Readonly<{ now: () => number; log: Log }>;

/** Calls that may fail together. */
export type CallGroup = Readonly<{
  /** Such as a model's id; by default the call counts for the whole upstream. */
  circuit?: string;
  /** The API key that the call is made for; by default it counts as one of many. */
  keyId?: string;
}>;

/** An admitted call. Call `end` exactly once. */
export type Admission = Readonly<{
  responded: () => void;
  end: (health: Failure['health']) => void;
}>;

/** What is blocked at present. */
export type BlockedCalls = Readonly<{
  /** Of the whole upstream. */
  breaker: BreakerState;
  /** The circuits, such as models, that are blocked for all keys. */
  circuits: readonly string[];
}>;

export type Breakers = Readonly<{
  /** Admits a call, or returns for how many ms none is admitted. */
  enter: (group: CallGroup) => Admission | number;
  blocked: () => BlockedCalls;
}>;

/**
 * The circuit breakers of one upstream. Failed connections open the breaker of the whole upstream; failed
 * responses (5xx, timeouts, invalid data, errors in mid-stream) only that of their circuit, so that one broken
 * model does not block the others. A key that fails alone is blocked alone: of the failures that open a circuit
 * for all keys, each key contributes at most half.
 */
export function createBreakers({ now, log, ...settings }: BreakersOptions): Breakers {
  const whole = create({ circuit: 'all' });
  const circuits = createBreakerStore((circuit) => create({ circuit: circuit.slice(0, 100) }));
  const keys = createBreakerStore((name) => create({ keyId: name.split(' ', 1)[0] ?? '' }));
  const failuresOfKeyMax = Math.ceil(settings.failuresMax / 2);

  function create(fields: Readonly<Record<string, string>>): Breaker {
    return createBreaker({
      ...settings,
      now,
      onChange(openMs) {
        if (openMs === null) log.info(fields, 'The AI upstream responds again.');
        else
          log.warn(
            { ...fields, openMs },
            'The circuit breaker of the AI upstream is open after failures in a row.',
          );
      },
    });
  }

  function enterCircuit(circuit: string): Admission | number {
    const pass = circuits.enter(circuit);
    if (typeof pass === 'number') return pass;
    return {
      responded: () => circuits.responded(circuit, pass),
      end: (health) => circuits.end(circuit, pass, toOutcome(health)),
    };
  }

  function enterCircuitWithKey(circuit: string, keyId: string): Admission | number {
    const name = `${keyId} ${circuit}`;
    const keyPass = keys.enter(name);
    if (typeof keyPass === 'number') return keyPass;
    const pass = circuits.enter(circuit);
    if (typeof pass === 'number') {
      keys.end(name, keyPass, 'unknown');
      return pass;
    }
    return {
      responded() {
        keys.responded(name, keyPass);
        circuits.responded(circuit, pass);
      },
      end(health) {
        const outcome = toOutcome(health);
        const isCounted = pass === 'probe' || keys.failures(name) < failuresOfKeyMax;
        circuits.end(circuit, pass, outcome === 'failed' && !isCounted ? 'unknown' : outcome);
        keys.end(name, keyPass, outcome);
      },
    };
  }

  function enterWhole(isAlone: boolean): Admission | number {
    const pass = whole.enter();
    if (typeof pass === 'number') return pass;
    return {
      responded: () => whole.responded(pass),
      end: (health) => whole.end(pass, toWholeOutcome(health, isAlone)),
    };
  }

  return {
    blocked: () => ({ breaker: whole.state(), circuits: circuits.open() }),
    enter({ circuit, keyId }) {
      const outer = enterWhole(circuit === undefined);
      if (typeof outer === 'number' || circuit === undefined) return outer;
      const inner =
        keyId === undefined ? enterCircuit(circuit) : enterCircuitWithKey(circuit, keyId);
      if (typeof inner === 'number') {
        outer.end('unknown');
        return inner;
      }
      return {
        responded() {
          outer.responded();
          inner.responded();
        },
        end(health) {
          outer.end(health);
          inner.end(health);
        },
      };
    },
  };
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
