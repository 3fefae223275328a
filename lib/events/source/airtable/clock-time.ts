import { toClockTime } from '../../model/zoned-time.ts';

type ParsedTime = Readonly<{
  /** `HH:MM`. */
  time: string;
  isRewritten: boolean;
}>;

/**
 * Parses a cell with a time.
 * @param timeZone of the event, for a date column with times.
 */
export function parseTimeCell(text: string, timeZone: string): ParsedTime | null {
  // A date column with times. Its day is not the event’s.
  const parts =
    /^\d{4}-\d{2}-\d{2}[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/.exec(text);
  if (parts === null) return parseClockTime(text);
  if (parts[2] === undefined) return parseClockTime(parts[1] ?? '');
  const timeMs = Date.parse(text);
  return Number.isFinite(timeMs)
    ? { time: toClockTime(timeMs, timeZone), isRewritten: false }
    : null;
}

/** Parses `18:30` and `6:30 pm`, and rewrites `18.30`, `18h30` and `18 h`. */
export function parseClockTime(text: string): ParsedTime | null {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s/g, '')
    .replace(/([ap])\.?m\.?$/, '$1m');
  const parts = /^(\d{1,2})(?:([:.h])([0-5]\d)(?::[0-5]\d)?)?(am|pm)?(h|hrs?|uhr)?$/.exec(plain);
  if (parts === null) return null;
  const [, hours = '', separator, minutes = '00', half, unit] = parts;
  // A number alone may be anything.
  if (separator === undefined && half === undefined && unit === undefined) return null;
  const hour = toHour(Number(hours), half);
  if (hour === null) return null;
  const isUsual =
    (separator === ':' || half !== undefined) && separator !== 'h' && unit === undefined;
  return {
    time: `${String(hour).padStart(2, '0')}:${minutes}`,
    isRewritten: !isUsual || (half !== undefined && Number(hours) > 12),
  };
}

function toHour(hour: number, half: string | undefined): number | null {
  if (hour > 23 || (half === 'am' && hour > 12) || (half === 'pm' && hour === 0)) return null;
  if (half === 'am') return hour % 12;
  return half === 'pm' && hour < 12 ? hour + 12 : hour;
}
