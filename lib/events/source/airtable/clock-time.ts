import { toPlainDigits } from '../../words/fold-text.ts';

type ParsedTime = Readonly<{
  /** `HH:MM`. */
  time: string;
  isRewritten: boolean;
}>;

/** A clock time, which may be one of the night after: `25:00`, and `24:00` as an end. */
export type NightTime = Readonly<{ time: string; isNextDay: boolean }>;

/** What a cell with a time says. */
export type TimeCell =
  | Readonly<{
      kind: 'moment';
      timeMs: number;
      /** As `+02:00`; null for one in UTC, which programs write. */
      offset: string | null;
    }>
  | (Readonly<{
      kind: 'clock';
      /** What stands behind the time, mostly the name of a zone. */
      zone: string | null;
    }> &
      Clock);

type Clock = NightTime &
  Readonly<{
    /** Of a range. */
    end: NightTime | null;
    isRewritten: boolean;
  }>;

/** Longer cells are no times. */
const lengthMax = 100;

/** Parses a cell with a time, a range or a moment. */
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
  const written = (parts?.[1] ?? text).normalize('NFKC').trim();
  const plain = toPlainTime(written);
  const isRewritten = plain !== written;
  const clock = parseClock(plain, isEnd) ?? parseLabelled(plain, isEnd);
  if (clock !== null) return toClockCell(clock, null, isRewritten);
  for (const { index } of plain.matchAll(/\s|(?<=\d)(?=[-+]\d\d:?\d\d$|[A-Z]{1,5}$)/g)) {
    const zone = plain.slice(index).trim();
    const before = parseClock(plain.slice(0, index).trim(), isEnd);
    // Capitals are mostly a zone, also if it is not known.
    if (before !== null && (isZone(zone) || /^\(?[A-Z]{2,5}\)?$/.test(zone)))
      return toClockCell(before, zone.replace(/^\((.*)\)$/, '$1'), isRewritten);
  }
  return null;
}

function toClockCell(clock: Clock, zone: string | null, isRewritten: boolean): TimeCell {
  return { kind: 'clock', zone, ...clock, isRewritten: clock.isRewritten || isRewritten };
}

const mornings = '오전|午前|上午|早上|凌晨';
const halves = new RegExp(`(${mornings}|오후|午後|午后|下午|晚上)\\s*(\\d{1,2}(?::\\d\\d)?)`, 'g');

/** Before a time: `ab 19:00 Uhr`, `a partir de las 19:00`. */
const wordsBefore =
  /^(?:(?:from|ab|um|at|@|à|as|às|a|alle|dalle|desde|de|des|dès|kl\.?|klo|von|vanaf|start(?:s|ing)?|beginn|begin|approx\.?|ca\.?|circa|around|about|gegen|partir|las|les|os|od|o|с|в|от)[\s:]\s*)+(?=\d)/i;
/** Behind it: `7pm onwards`. */
const wordsBehind =
  /(?<=[\d.mhr])\s*(?:頃|ごろ|경|開始|スタート|시작|まで|까지|onwards?|sharp|start|or so|ish|s\.\s?t\.|c\.\s?t\.)$/i;

/** Times of East Asia as English ones, without words around them. */
function toPlainTime(text: string): string {
  return toPlainDigits(text)
    .replace(/(\d\d?)\s?[時시点點时](?:\s?(\d\d?)\s?[分분]|(半))?/g, (_, hour, minutes, half) => {
      return `${hour}:${half === undefined ? (minutes ?? '00').padStart(2, '0') : '30'}`;
    })
    .replace(halves, (_, half, time) => `${time} ${mornings.includes(half) ? 'am' : 'pm'}`)
    .replace(/\s?(?:[~〜→]|から|부터)\s?/g, ' - ')
    .trim()
    .replace(wordsBehind, '')
    .replace(wordsBefore, '');
}

function parseClock(text: string, isEnd: boolean): Clock | null {
  const seconds = /^\d{4,5}$/.test(text) ? Number(text) : 0;
  // Airtable’s durations; below an hour, the number may be `1830`.
  if (seconds >= 3600 && seconds < 86_400 && seconds % 60 === 0) {
    const time = new Date(seconds * 1000).toISOString().slice('YYYY-MM-DDT'.length, -8);
    return { time, isNextDay: false, end: null, isRewritten: false };
  }
  const time = isEnd ? parseEndTime(text) : parseNightTime(text);
  return time === null ? (parseOpenEnd(text) ?? parseRange(text)) : { ...time, end: null };
}

/** `10am - late`. */
function parseOpenEnd(text: string): Clock | null {
  const [, from] =
    /^(.+?)\s*(?:(?:[-–—]|\b(?:to|till?|until|bis)\b)\s*(?:late|dusk|sunset|dark|close|closing|end|ende|finish|fin|open[ -]?end(?:ed)?|\?|…)?|\blate|\(no end time\))$/i.exec(
      text,
    ) ?? [];
  const time = parseNightTime(from ?? '');
  return time === null ? null : { ...time, end: null, isRewritten: true };
}

/** `Doors 19:00, show 20:00`, `OPEN 18:00 / START 19:00`: people come for the first one. */
function parseLabelled(text: string, isEnd: boolean): Clock | null {
  // `7:30 for 8 pm start`.
  const plain = text.replace(
    /^([\d.:]+)\s?([ap]\.?m\.?)?\s+for\s+([\d.:]+)\s?([ap]\.?m\.?)?(?:\s+start)?\.?$/i,
    (_, first, half, second, unit = '') => `${first} ${half ?? unit}, start ${second} ${unit}`,
  );
  const parts = plain.split(/\s*[,;/|·(]\s*/).map((part) => part.replace(/\)$/, ''));
  const times = parts.map((part) => parseClock(part.replace(label, ''), isEnd));
  const [first = null] = times;
  const isLabelled = parts.some((part) => label.test(part)) && !times.includes(null);
  return isLabelled && first !== null ? { ...first, isRewritten: true } : null;
}

const label =
  /^(?:doors?(?: opens?)?|gates?|open(?:ing)?|show(?:time)?|starts?|music|concert|film|talks?|einlass|beginn|portes|puertas|apertura|inizio|開場|開演|受付)(?:\s+at)?\s*:?\s*(?=\d)/i;

/** `18:00-20:00`, `6–8 pm`, `18 bis 20 Uhr`: what the start lacks, it has from the end. */
function parseRange(text: string): Clock | null {
  const [from = '', to = '', ...others] = text.split(
    /\s*(?:[-–—]|\b(?:to|till?|until|bis)\b|\s(?:à|a|às|al|do|до)(?=\s))\s*/i,
  );
  if (others.length > 0) return null;
  const unit = /(?:[ap]\.?m\.?|\d\s?h|uhr)$/i.exec(to)?.[0].replace(/^\d/, '') ?? '';
  const end = parseEndTime(to) ?? parseEndTime(/[:.h]|m\b/i.test(from) ? `${to}:00` : '');
  if (end === null) return null;
  const start = parseStart(from, unit) ?? parseNightTime(from);
  if (start === null) return null;
  // `오후 7:00 - 9:00`.
  const inAfternoon = /p\.?m\.?$/i.test(from) && unit === '' ? parseClockTime(`${to} pm`) : null;
  const isSameHalf = inAfternoon !== null && inAfternoon.time > start.time;
  const isBackwards = unit.toLowerCase().startsWith('p') && start.time > end.time;
  const morning = isBackwards ? parseClockTime(`${from} am`) : null;
  return {
    time: morning?.time ?? start.time,
    isNextDay: start.isNextDay,
    end: isSameHalf ? { time: inAfternoon.time, isNextDay: false } : end,
    isRewritten: start.isRewritten || end.isRewritten,
  };
}

function parseStart(from: string, unit: string): (ParsedTime & NightTime) | null {
  if (/[ap]\.?m\.?$|noon|midnight/i.test(from)) return null;
  return parseNightTime(`${from} ${unit}`);
}

function parseEndTime(text: string): (ParsedTime & NightTime) | null {
  const isMidnight = /^(?:(?:12 ?)?midnight|mitternacht)$/i.test(text);
  if (isMidnight) return { time: '00:00', isNextDay: true, isRewritten: false };
  return parseNightTime(text);
}

/** A clock time, or one of the night after, as Japan writes it: `25:00`. */
function parseNightTime(text: string): (ParsedTime & NightTime) | null {
  const [, hour, minutes = '00'] = /^(2[4-9])[:.h]([0-5]\d)(?: ?h| ?uhr)?$/i.exec(text) ?? [];
  if (hour === undefined) {
    const clock = parseClockTime(text);
    return clock && { ...clock, isNextDay: false };
  }
  const time = `0${Number(hour) - 24}:${minutes}`;
  return { time, isNextDay: true, isRewritten: hour !== '24' };
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
  const parts = /^(\d{1,2})(?:([:.h])([0-5]\d)(?::[0-5]\d)?)?(am|pm)?(hs?|hrs?|uhr)?$/.exec(plain);
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
