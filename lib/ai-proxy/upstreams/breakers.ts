import type { Log } from '#lib/http/log.ts';
import { type Breaker, createBreaker, type Outcome, type Pass } from './breaker.ts';
import type { Failure } from './failure.ts';

export type BreakerSettings = Readonly<{ failuresMax: number; openMs: number; openMsMax: number }>;

export type BreakersOptions = BreakerSettings & Readonly<{ now: () => number; log: Log }>;

/** An admitted call. Call `end` exactly once. */
export type Admission = Readonly<{
  responded: () => void;
  end: (health: Failure['health']) => void;
}>;

export type Breakers = Readonly<{
  /** Admits a call, or returns for how many ms none is admitted. */
  enter: (circuit: string | undefined) => Admission | number;
}>;

/** Clients choose the names, so their number is bounded. */
const circuitsMax = 1000;

/**
 * The circuit breakers of one upstream. Failed connections open the breaker of the whole upstream;
 * failed responses (5xx, timeouts, invalid data) only that of their circuit, so that one broken
 * model does not block the others. Calls without a circuit count for the whole upstream.
 */
export function createBreakers({ now, log, ...settings }: BreakersOptions): Breakers {
  const whole = create('all');
  const circuits = new Map<string, Breaker>();

  function create(circuit: string): Breaker {
    return createBreaker({
      ...settings,
      now,
      onChange(openMs) {
        if (openMs === null) log.info({ circuit }, 'The AI upstream responds again.');
        else
          log.warn(
            { circuit, openMs },
            'The circuit breaker of the AI upstream is open after failures in a row.',
          );
      },
    });
  }

  /** Records a call's outcome. Only circuits with failures are stored. */
  function record(circuit: string, pass: Pass, outcome: Outcome): void {
    const known = circuits.get(circuit);
    if (known === undefined && outcome !== 'failed') return;
    const breaker = known ?? create(circuit.slice(0, 100));
    breaker.end(pass, outcome);
    if (breaker.isFresh()) circuits.delete(circuit);
    else circuits.set(circuit, breaker);
    if (circuits.size > circuitsMax) circuits.delete(circuits.keys().next().value ?? '');
  }

  return {
    enter(circuit) {
      const wholePass = whole.enter();
      if (typeof wholePass === 'number') return wholePass;
      const pass = circuit === undefined ? 'closed' : (circuits.get(circuit)?.enter() ?? 'closed');
      if (typeof pass === 'number') {
        whole.end(wholePass, 'unknown');
        return pass;
      }
      return {
        responded() {
          whole.responded(wholePass);
          if (circuit !== undefined) circuits.get(circuit)?.responded(pass);
        },
        end(health) {
          whole.end(wholePass, toWholeOutcome(health, circuit === undefined));
          if (circuit !== undefined) record(circuit, pass, toCircuitOutcome(health));
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

function toCircuitOutcome(health: Failure['health']): Outcome {
  return health === 'unreachable' ? 'unknown' : health;
}
