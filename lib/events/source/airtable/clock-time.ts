type ParsedTime = Readonly<{
  /** `HH:MM`. */
  time: string;
  isRewritten: boolean;
}>;

/** What a cell with a time says. */
export type TimeCell =
  | Readonly<{
      kind: 'moment';
      timeMs: number;
      /** As `+02:00`; null for one in UTC, which programs write. */
      offset: string | null;
    }>
  | Readonly<{
      kind: 'clock';
      time: string;
      /** Of a range. */
      endTime: string | null;
      /** What stands behind the time, mostly the name of a zone. */
      zone: string | null;
      isRewritten: boolean;
    }>;

/** Longer cells are no times. */
const lengthMax = 100;

/** Parses a cell with a time, a range or a moment. The end of a day has no clock time of its own. */
export function parseTimeCell(
  text: string,
  { isEnd, isZone }: Readonly<{ isEnd: boolean; isZone: (text: string) => boolean }>,
): TimeCell | null {
  if (text.length > lengthMax) return null;
  // A date column with times. Its day is not the event’s.
  const parts =
    /^\d{4}-\d{2}-\d{2}[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/.exec(text);
  if (parts?.[2] !== undefined) {
    const timeMs = Date.parse(text);
    const offset = parts[2] === 'Z' ? null : parts[2];
    return Number.isFinite(timeMs) ? { kind: 'moment', timeMs, offset } : null;
  }
  const plain = (parts?.[1] ?? text).normalize('NFKC').trim();
  const clock = parseClock(plain, isEnd);
  if (clock !== null) return { kind: 'clock', zone: null, ...clock };
  for (const { index } of plain.matchAll(/\s|(?<=\d)(?=[-+]\d\d:?\d\d$|[A-Z]{1,5}$)/g)) {
    const zone = plain.slice(index).trim();
    const before = parseClock(plain.slice(0, index).trim(), isEnd);
    // Capitals are mostly a zone, also if it is not known.
    if (before !== null && (isZone(zone) || /^\(?[A-Z]{2,5}\)?$/.test(zone)))
      return { kind: 'clock', zone: zone.replace(/^\((.*)\)$/, '$1'), ...before };
  }
  return null;
}

type Clock = ParsedTime & Readonly<{ endTime: string | null }>;

function parseClock(text: string, isEnd: boolean): Clock | null {
  const seconds = /^\d{4,5}$/.test(text) ? Number(text) : 0;
  // Airtable’s durations; below an hour, the number may be `1830`.
  if (seconds >= 3600 && seconds < 86_400 && seconds % 60 === 0) {
    const time = new Date(seconds * 1000).toISOString().slice('YYYY-MM-DDT'.length, -8);
    return { time, endTime: null, isRewritten: false };
  }
  const time = isEnd ? parseEndTime(text) : parseClockTime(text);
  return time === null ? parseRange(text) : { ...time, endTime: null };
}

/** `18:00-20:00`, `6–8 pm`, `18 bis 20 Uhr`: what the start lacks, it has from the end. */
function parseRange(text: string): Clock | null {
  const [from = '', to = '', ...others] = text.split(/\s*(?:[-–—]|\b(?:to|until|bis)\b)\s*/i);
  if (others.length > 0) return null;
  const unit = /(?:[ap]\.?m\.?|\d\s?h|uhr)$/i.exec(to)?.[0].replace(/^\d/, '') ?? '';
  const end = parseEndTime(to) ?? parseEndTime(/[:.h]|m\b/i.test(from) ? `${to}:00` : '');
  if (end === null) return null;
  const start = parseStart(from, unit) ?? parseClockTime(from);
  if (start === null) return null;
  const isBackwards = unit.toLowerCase().startsWith('p') && start.time > end.time;
  const morning = isBackwards ? parseClockTime(`${from} am`) : null;
  return {
    time: morning?.time ?? start.time,
    endTime: end.time,
    isRewritten: start.isRewritten || end.isRewritten,
  };
}

function parseStart(from: string, unit: string): ParsedTime | null {
  if (/[ap]\.?m\.?$|noon|midnight/i.test(from)) return null;
  return parseClockTime(`${from} ${unit}`);
}

function parseEndTime(text: string): ParsedTime | null {
  const isMidnight = /^(?:24[:.h]00(?: ?h| ?uhr)?|(?:12 ?)?midnight|mitternacht)$/i.test(text);
  return isMidnight ? { time: '23:59', isRewritten: true } : parseClockTime(text);
}

/** Parses `18:30`, `6:30 pm`, `noon` and `midnight`, and rewrites `18.30`, `18h30` and `18 h`. */
export function parseClockTime(text: string): ParsedTime | null {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s/g, '')
    .replace(/([ap])\.?m\.?$/, '$1m');
  if (/^(?:12)?(?:noon|midday)$|^mittags?$/.test(plain))
    return { time: '12:00', isRewritten: false };
  if (/^(?:12)?midnight$|^mitternacht$/.test(plain)) return { time: '00:00', isRewritten: false };
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
