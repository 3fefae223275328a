/** Calendar days of one time zone. */
export type TimeZone = Readonly<{
  timeZone: string;
  /** The day of `timeMs` (Unix time, ms) as `YYYY-MM-DD`. */
  dayAt: (timeMs: number) => string;
  /** Unix time in ms at which the day of `timeMs` ends. */
  dayEndsAt: (timeMs: number) => number;
}>;

type Day = Readonly<{ date: string; fromMs: number; untilMs: number }>;

const hourMs = 3_600_000;

/**
 * Day arithmetic in an IANA time zone. The last day is cached, so a call per request costs two comparisons.
 * @throws RangeError for an unknown time zone.
 */
export function createTimeZone(timeZone: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  // The locale writes years before 1000 without leading zeros.
  const write = (timeMs: number) => format.format(timeMs).padStart('YYYY-MM-DD'.length, '0');
  let known: Day = { date: '', fromMs: 0, untilMs: 0 };

  function dayOf(timeMs: number): Day {
    if (timeMs < known.fromMs || timeMs >= known.untilMs) {
      const date = write(timeMs);
      known = { date, fromMs: timeMs, untilMs: findDayEnd(timeMs, date) };
    }
    return known;
  }

  // The end is searched for, not computed: days with a clock change have 23 or 25 hours, and some no 00:00.
  function findDayEnd(timeMs: number, date: string): number {
    let inside = timeMs;
    let outside = timeMs + hourMs;
    while (write(outside) === date) {
      inside = outside;
      outside += hourMs;
    }
    while (outside - inside > 1) {
      const middle = Math.floor((inside + outside) / 2);
      if (write(middle) === date) inside = middle;
      else outside = middle;
    }
    return outside;
  }

  return {
    timeZone,
    dayAt: (timeMs) => dayOf(timeMs).date,
    dayEndsAt: (timeMs) => dayOf(timeMs).untilMs,
  };
}
