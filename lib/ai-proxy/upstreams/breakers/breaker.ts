export type BreakerOptions = Readonly<{
  now: () => number;
  /** Failures in a row that open it. */
  failuresMax: number;
  /** How long it first stays open; doubled by each failed probe, up to `openMsMax`. */
  openMs: number;
  openMsMax: number;
  /** Called with how long it stays open when it opens, and with null when it closes. */
  onChange: (openMs: number | null) => void;
}>;

/** How a call was admitted. */
export type Pass = 'closed' | 'probe';

/** What a call shows about the upstream; `unknown`: the client disconnected, or the fault was ours. */
export type Outcome = 'healthy' | 'failed' | 'unknown';

/** `half-open`: the next call is a probe. */
export type BreakerState = 'closed' | 'open' | 'half-open';

export type Breaker = Readonly<{
  /** Admits a call, or returns for how many ms none is admitted. */
  enter: () => Pass | number;
  /**
   * The response headers have arrived: a probe closes the breaker. Only a successful end resets the
   * count of failures.
   */
  responded: (pass: Pass) => void;
  end: (pass: Pass, outcome: Outcome) => void;
  /** Failures in a row. */
  failures: () => number;
  state: () => BreakerState;
  /** Closed and without failures. */
  isFresh: () => boolean;
}>;

const probeWaitMs = 1000;

/**
 * A circuit breaker: opens after consecutive failures. After a while it is half-open and lets one
 * call through as a probe: a response closes it, a failure keeps it open for longer. An aborted
 * probe lets the next one through.
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

  /** How long it stays open; 0 if a probe is due, or it is closed. */
  function toLeftMs(): number {
    if (openedAt === null) return 0;
    // The absolute difference: a clock that is set back must not keep it open longer.
    return Math.max(openMs - Math.abs(now() - openedAt), 0);
  }

  return {
    enter() {
      if (openedAt === null) return 'closed';
      const leftMs = toLeftMs();
      if (leftMs > 0) return leftMs;
      if (isProbing) return probeWaitMs;
      isProbing = true;
      return 'probe';
    },
    responded(pass) {
      if (pass === 'probe' && openedAt !== null) close();
    },
    end(pass, outcome) {
      if (outcome === 'failed') return fail(pass);
      if (outcome === 'unknown') {
        if (pass === 'probe') isProbing = false;
        return;
      }
      if (pass === 'probe' && openedAt !== null) close();
      // A call from before it opened shows nothing about the present.
      if (openedAt === null) failures = 0;
    },
    state() {
      if (openedAt === null) return 'closed';
      return toLeftMs() > 0 ? 'open' : 'half-open';
    },
    failures: () => failures,
    isFresh: () => openedAt === null && failures === 0,
  };
}
