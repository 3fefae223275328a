/** Calendar days of one time zone. */
export type TimeZone = Readonly<{
  timeZone: string;
  /** The day of `timeMs` (Unix time, ms) as `YYYY-MM-DD`. */
  dayAt: (timeMs: number) => string;
  /** Unix time in ms at which the day of `timeMs` begins and ends. */
  dayStartsAt: (timeMs: number) => number;
  dayEndsAt: (timeMs: number) => number;
}>;

type Day = Readonly<{
  date: string;
  /** From when on it is known to be this day. */
  fromMs: number;
  startsAtMs: number;
  untilMs: number;
}>;

const hourMs = 3_600_000;

/**
 * Day arithmetic in an IANA time zone. The last day is cached, so a call per request costs two comparisons.
 * @throws RangeError for an unknown time zone.
 */
export function createTimeZone(timeZone: string): TimeZone {
  // Throws at once for a zone that does not exist.
  offsetAt(0, timeZone);
  const write = (timeMs: number) => toLocalDay(timeMs, timeZone);
  let known: Day = { date: '', fromMs: 0, startsAtMs: 0, untilMs: 0 };

  function dayOf(timeMs: number): Day {
    if (timeMs < known.fromMs || timeMs >= known.untilMs) {
      const date = write(timeMs);
      const start = toZonedTime({ date, time: '00:00', timeZone });
      known = {
        date,
        fromMs: timeMs,
        startsAtMs: start.timeMs,
        untilMs: findDayEnd(timeMs, date),
      };
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
    dayStartsAt: (timeMs) => dayOf(timeMs).startsAtMs,
    dayEndsAt: (timeMs) => dayOf(timeMs).untilMs,
  };
}

/** A moment, and how far the clocks of a place were ahead of UTC at it. */
export type ZonedTime = Readonly<{ timeMs: number; offsetMs: number }>;

type LocalTime = Readonly<{
  /** `YYYY-MM-DD`. */
  date: string;
  /** `HH:MM`. */
  time: string;
  /** IANA. */
  timeZone: string;
}>;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * The moment at which clocks in a zone show a time, as RFC 5545 §3.3.5 resolves it: the first of two if clocks go
 * back over it, and with the offset before the gap if they skip it.
 */
export function toZonedTime({ date, time, timeZone }: LocalTime): ZonedTime {
  const shownMs = Date.parse(`${date}T${time}:00Z`);
  const before = offsetAt(shownMs - dayMs, timeZone);
  const after = offsetAt(shownMs + dayMs, timeZone);
  const candidates = [before, after]
    .filter((offsetMs) => offsetAt(shownMs - offsetMs, timeZone) === offsetMs)
    .map((offsetMs) => shownMs - offsetMs);
  const timeMs = candidates.length > 0 ? Math.min(...candidates) : shownMs - before;
  return { timeMs, offsetMs: offsetAt(timeMs, timeZone) };
}

/** A moment as RFC 3339 with its offset: `2026-12-12T18:30:00+01:00`; null outside the years 0 to 9999. */
export function formatZonedTime({ timeMs, offsetMs }: ZonedTime): string | null {
  // RFC 3339 knows no seconds of an offset, which local mean times have.
  const offsetMinutes = Math.trunc(offsetMs / minuteMs);
  const local = new Date(timeMs + offsetMinutes * minuteMs).toISOString();
  if (!/^\d{4}-/.test(local)) return null;
  return `${local.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}${formatOffset(offsetMinutes)}`;
}

/** The clock time `HH:MM` of a moment in a zone. */
export function toClockTime(timeMs: number, timeZone: string): string {
  // Counted from the end: years after 9999 have more than four digits.
  return new Date(timeMs + offsetAt(timeMs, timeZone)).toISOString().slice(-13, -8);
}

/** The day `YYYY-MM-DD` of a moment in a zone. */
export function toLocalDay(timeMs: number, timeZone: string): string {
  return new Date(timeMs + offsetAt(timeMs, timeZone)).toISOString().split('T')[0] ?? '';
}

/** The IANA name of a time zone in its usual spelling; null if there is no such zone. */
export function parseTimeZone(text: string): string | null {
  const name = text.trim().replace(/ /g, '_');
  // Offsets such as `+02:00` would be accepted, but have no rules for clock changes.
  if (!/^[a-z][a-z0-9_+-]*(?:\/[a-z0-9_+-]+){0,2}$/i.test(name)) return null;
  const resolved = resolveTimeZone(name);
  if (resolved === null) return null;
  if (resolved.toLowerCase() === name.toLowerCase()) return resolved;
  // A newer or older name of the same zone, such as `Asia/Kolkata`, stays.
  const isCapitalized = /^[A-Z]/.test(name);
  return isCapitalized ? name : name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
}

/** Whether the clocks of two zones show the same, all through this decade’s rules. */
export function haveSameClocks(first: string, second: string): boolean {
  const others = readClocks(second);
  return readClocks(first).every((offsetMs, at) => offsetMs === others[at]);
}

/** Whether the clocks of a zone never change. */
export function hasFixedClocks(timeZone: string): boolean {
  return new Set(readClocks(timeZone)).size === 1;
}

/** How far the clocks of a zone are ahead of UTC outside of summer time, in ms. */
export function standardOffset(timeZone: string): number {
  return Math.min(...readClocks(timeZone));
}

// Days on which the rules of any two zones differ if they differ at all; the last is between the changes of the
// United States and Europe.
const days = ['01-15', '03-20', '04-15', '07-15', '09-15', '10-15', '10-30'].map((day) =>
  Date.parse(`2026-${day}T00:00:00Z`),
);

/** By zone, for a country with thirty of them and ten thousand events. */
const clocks = new Map<string, readonly number[]>();

function readClocks(timeZone: string): readonly number[] {
  const known = clocks.get(timeZone) ?? days.map((timeMs) => offsetAt(timeMs, timeZone));
  clocks.set(timeZone, known);
  return known;
}

function resolveTimeZone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetAt(timeMs: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    formats.set(timeZone, format);
  }
  // `1/1/1970, GMT-00:44:30`; `GMT` alone is UTC.
  const match = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(format.format(timeMs));
  const [, sign, hours = 0, minutes = 0, seconds = 0] = match ?? [];
  const offsetMs = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -offsetMs : offsetMs;
}

function formatOffset(offsetMinutes: number): string {
  const size = Math.abs(offsetMinutes);
  const write = (value: number) => String(value).padStart(2, '0');
  return `${offsetMinutes < 0 ? '-' : '+'}${write(Math.floor(size / 60))}:${write(size % 60)}`;
}

/** A day as RFC 5545 §3.3.4 writes it: `20261124`. */
export function toBasicDate(date: string): string {
  return date.replaceAll('-', '');
}

/** A moment as RFC 5545 §3.3.5 writes it in UTC: `20261124T173000Z`. */
export function toBasicTimestamp(dateTime: string): string {
  return new Date(dateTime).toISOString().replace(/[-:]|\.\d+/g, '');
}
