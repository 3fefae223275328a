import type { Log } from '#lib/http/log.ts';
import { type Breaker, createBreaker, type Outcome, type Pass } from './breaker.ts';
import type { Failure } from './failure.ts';

export type BreakerSettings = Readonly<{ failuresMax: number; openMs: number; openMsMax: number }>;

export type BreakersOptions = BreakerSettings & Readonly<{ now: () => number; log: Log }>;

/** A call that was let through. Exactly one `end` follows. */
export type Admission = Readonly<{
  answered: () => void;
  end: (health: Failure['health']) => void;
}>;

export type Breakers = Readonly<{
  /** A number is for how long no call is let through, ms. */
  enter: (circuit: string | undefined) => Admission | number;
}>;

/** More names than models fail at once; callers choose them. */
const circuitsMax = 1000;

/**
 * The breakers of one upstream. That no connection is made stops every call; failures of what answers (5xx,
 * time-outs, garbage) stop the calls of their circuit alone: with one broken model nobody can shut the others
 * out. Calls that name no circuit count for the whole.
 */
export function createBreakers({ now, log, ...settings }: BreakersOptions): Breakers {
  const whole = create('all');
  const circuits = new Map<string, Breaker>();

  function create(circuit: string): Breaker {
    return createBreaker({
      ...settings,
      now,
      onChange(openMs) {
        if (openMs === null) log.info({ circuit }, 'The AI upstream answers again.');
        else
          log.warn({ circuit, openMs }, 'The AI upstream is left alone after failures in a row.');
      },
    });
  }

  /** What a call says of its circuit. Only circuits with failures are kept. */
  function tell(circuit: string, pass: Pass, outcome: Outcome): void {
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
        answered() {
          whole.answered(wholePass);
          if (circuit !== undefined) circuits.get(circuit)?.answered(pass);
        },
        end(health) {
          whole.end(wholePass, toWholeOutcome(health, circuit === undefined));
          if (circuit !== undefined) tell(circuit, pass, toCircuitOutcome(health));
        },
      };
    },
  };
}

function toWholeOutcome(health: Failure['health'], isAlone: boolean): Outcome {
  if (health === 'unreachable') return 'failed';
  // It was reached.
  if (health === 'failed') return isAlone ? 'failed' : 'sound';
  return health;
}

function toCircuitOutcome(health: Failure['health']): Outcome {
  return health === 'unreachable' ? 'unknown' : health;
}
