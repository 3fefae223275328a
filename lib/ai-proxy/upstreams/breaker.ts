export type BreakerOptions = Readonly<{
  now: () => number;
  /** How many failures in a row open it. */
  failuresMax: number;
  /** How long it stays open at first; doubled each time that a probe fails, up to the longest. */
  openMs: number;
  openMsMax: number;
  /** Told when it opens (with for how long, ms) and when it closes (with null). */
  onChange: (openMs: number | null) => void;
}>;

/** How a call was let through; it goes along with what is told of it. */
export type Pass = 'closed' | 'probe';

/** What a call says of the upstream; `unknown`: its caller left, or it was our own fault. */
export type Outcome = 'sound' | 'failed' | 'unknown';

export type Breaker = Readonly<{
  /** A pass lets the call through; a number is for how long none is let through, ms. */
  enter: () => Pass | number;
  /** The call is answered: a probe closes the breaker. Failures in a row end only with the answer's sound end. */
  answered: (pass: Pass) => void;
  end: (pass: Pass, outcome: Outcome) => void;
  /** Closed, and without failures: as if it were new. */
  isFresh: () => boolean;
}>;

const probeWaitMs = 1000;

/**
 * Leaves an upstream alone after failures in a row. After a while one call is let through as a probe: answered,
 * and all are; failed, and it stays open for longer. A probe whose caller leaves makes room for the next one.
 */
export function createBreaker(options: BreakerOptions): Breaker {
  const { now, failuresMax, openMsMax, onChange } = options;
  let failures = 0;
  let openMs = options.openMs;
  let openedAt: number | null = null;
  let isProbing = false;

  function open(): void {
    openedAt = now();
    isProbing = false;
    onChange(openMs);
  }

  function close(): void {
    openedAt = null;
    isProbing = false;
    failures = 0;
    openMs = options.openMs;
    onChange(null);
  }

  function fail(pass: Pass): void {
    failures += 1;
    if (pass === 'probe' && openedAt !== null) {
      openMs = Math.min(openMs * 2, openMsMax);
      open();
    } else if (openedAt === null && failures >= failuresMax) {
      open();
    }
  }

  return {
    enter() {
      if (openedAt === null) return 'closed';
      // By distance: a clock that was set back must not keep it open for longer.
      const leftMs = openMs - Math.abs(now() - openedAt);
      if (leftMs > 0) return leftMs;
      if (isProbing) return probeWaitMs;
      isProbing = true;
      return 'probe';
    },
    answered(pass) {
      if (pass === 'probe' && openedAt !== null) close();
    },
    end(pass, outcome) {
      if (outcome === 'failed') return fail(pass);
      if (outcome === 'unknown') {
        if (pass === 'probe') isProbing = false;
        return;
      }
      if (pass === 'probe' && openedAt !== null) close();
      // A call from before it opened says nothing of now.
      if (openedAt === null) failures = 0;
    },
    isFresh: () => openedAt === null && failures === 0,
  };
}
