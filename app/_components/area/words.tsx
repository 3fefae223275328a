import { formatCount } from '#lib/events/words/format-count.ts';

const cents = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const moments = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const exactMoments = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const dates = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Dollars with as many digits as are significant; a dash if prices are unknown. */
export function toDollars(usd: number | null): string {
  if (usd === null) return '–';
  if (usd === 0 || usd >= 1) return `$${cents.format(usd)}`;
  return usd < 0.0001 ? '<\u00a0$0.0001' : `$${usd.toFixed(4)}`;
}

/** Dollars in a column of them. */
export function DollarCell({ text }: Readonly<{ text: string }>) {
  return <span data-digits={/^\$.*\.(\d+)$/.exec(text)?.[1]?.length}>{text}</span>;
}

type Spend = Readonly<{ tokensIn: number; tokensOut: number; costUsd: number | null }>;

/** An unknown cost is not nothing. */
export function toCostText({ tokensIn, tokensOut, costUsd }: Spend): string {
  return costUsd === null && tokensIn + tokensOut > 0 ? 'unknown' : toDollars(costUsd);
}

/** 3 Mar, or 3 Mar 14:00, of `2026-03-03` or `2026-03-03T14:00Z` */
export function toPeriodText(period: string): string {
  const day = toDayText(period.slice(0, 10));
  return period.length === 10 ? day : `${day} ${period.slice(11, 16)}`;
}

/** 3 Mar, of `2026-03-03` */
export function toDayText(day: string): string {
  return days.format(Date.parse(day));
}

export function Moment({ timeMs }: Readonly<{ timeMs: number }>) {
  return <time dateTime={new Date(timeMs).toISOString()}>{moments.format(timeMs)} UTC</time>;
}

/** To the second, for what happens more than once a minute. The page says that times are in UTC. */
export function ExactMoment({ timeMs }: Readonly<{ timeMs: number }>) {
  return <time dateTime={new Date(timeMs).toISOString()}>{exactMoments.format(timeMs)}</time>;
}

/** 420 ms, 3.1 s, or 2 min 5 s */
export function toDurationText(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  const seconds = Math.round(durationMs / 1_000);
  if (seconds < 60) return `${(durationMs / 1_000).toFixed(1)} s`;
  return `${formatCount(Math.floor(seconds / 60))} min ${seconds % 60} s`;
}

/** The day of a moment, in UTC. */
export function Day({ timeMs }: Readonly<{ timeMs: number }>) {
  return <time dateTime={new Date(timeMs).toISOString().slice(0, 10)}>{dates.format(timeMs)}</time>;
}
