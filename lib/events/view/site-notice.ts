import type { Freshness } from '#lib/http/response.ts';
import { addDays } from '../model/dates.ts';
import { toZonedTime } from '../model/zoned-time.ts';

/** What the operator tells everybody who reads the site. */
export type SiteNotice = Readonly<{
  text: string;
  /** Of a page that says more. */
  url: string | null;
  /** As people read it, such as “1 Dec 2026, 18:00 (Europe/Lisbon)”; null: until it is changed. */
  until: string | null;
  /** How long it is still shown. */
  leftMs: () => number;
}>;

type NoticeSettings = Readonly<{
  text: string;
  url: string | null;
  /** `2026-12-01`, of which the whole day counts, or `2026-12-01T18:00`, also with `Z` or an offset; null: no end. */
  until: string | null;
}>;

/** @param timeZone of the site, in which its times are. */
export function toSiteNotice(
  { text, url, until }: NoticeSettings,
  { timeZone, now }: Readonly<{ timeZone: string; now: () => number }>,
): SiteNotice {
  if (until === null) return { text, url, until, leftMs: () => Number.POSITIVE_INFINITY };
  const isDay = !until.includes('T');
  const endsAtMs = toEnd(until, timeZone);
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    dateStyle: 'medium',
    ...(!isDay && { timeStyle: 'short' }),
  });
  // At its end, a day is over.
  const shown = isDay ? format.format(endsAtMs - 1) : `${format.format(endsAtMs)} (${timeZone})`;
  return { text, url, until: shown, leftMs: () => endsAtMs - now() };
}

function toEnd(until: string, timeZone: string): number {
  const [date = '', time] = until.split('T');
  if (time === undefined) {
    return toZonedTime({ date: addDays(date, 1), time: '00:00', timeZone }).timeMs;
  }
  return /[Z+-]/.test(time) ? Date.parse(until) : toZonedTime({ date, time, timeZone }).timeMs;
}

/** Caches may not outlive it. */
const freshMsMax = 300_000;

/** For what shows a notice: clients ask each time from shortly before its end. */
export function untilNoticeEnds(freshness: Freshness, notice: SiteNotice | null): Freshness {
  if (notice === null) return freshness;
  return () => {
    const fresh = freshness();
    const leftMs = notice.leftMs();
    if (fresh === null || leftMs <= 0) return null;
    return leftMs < freshMsMax ? 'no-cache' : fresh;
  };
}

/** Tells a representation with a notice from the one without. */
export function withNoticeKey(key: string, notice: SiteNotice | null): string {
  return notice === null ? key : `${key} with a notice`;
}
