const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

type EventDates = Readonly<{ startDate: string; endDate: string | null }>;
type Day = Readonly<{ day: number; month: string; year: number }>;

/**
 * An event's days in English: `12–14 Dec 2026`, `30 Dec 2026 – 2 Jan 2027`, `from 3 May 2026, open-ended`.
 * Dates are handled as text, so the machine's time zone does not matter.
 * @param today `YYYY-MM-DD`. With it the words suit a poster: without the current year, and `until 14 Dec` for
 *   an ongoing event.
 */
export function toDatesInWords({ startDate, endDate }: EventDates, today?: string): string {
  const start = parseDay(startDate);
  const currentYear = today === undefined ? undefined : parseDay(today).year;
  const hasBegun = today !== undefined && startDate <= today;
  if (endDate === null) {
    const words = toWords(start, currentYear);
    return hasBegun ? `open-ended, since ${words}` : `from ${words}, open-ended`;
  }
  if (endDate <= startDate) return toWords(start, currentYear);
  const end = parseDay(endDate);
  if (hasBegun && today <= endDate) return `until ${toWords(end, currentYear)}`;
  return toRange({ start, end, currentYear });
}

/** One day in English: `12 Dec 2026`. */
export function toDayInWords(date: string): string {
  return toWords(parseDay(date), undefined);
}

type Range = Readonly<{ start: Day; end: Day; currentYear: number | undefined }>;

function toRange({ start, end, currentYear }: Range): string {
  const endWords = toWords(end, currentYear);
  if (start.year !== end.year) {
    return `${toWords(start, undefined)} – ${toWords(end, undefined)}`;
  }
  if (start.month !== end.month) return `${start.day} ${start.month} – ${endWords}`;
  return `${start.day}–${endWords}`;
}

function toWords({ day, month, year }: Day, currentYear: number | undefined): string {
  return year === currentYear ? `${day} ${month}` : `${day} ${month} ${year}`;
}

function parseDay(date: string): Day {
  const [year, month, day] = date.split('-').map(Number);
  return { year: year ?? 0, month: months[(month ?? 1) - 1] ?? '', day: day ?? 1 };
}
