import { expect, test } from 'vitest';
import { toSiteNotice, untilNoticeEnds } from '#lib/events/view/site-notice.ts';

const settings = { text: 'Down on Sunday', url: null };
const timeZone = 'Europe/Brussels';

test.for([
  // Through the end of that day, where the site is.
  ['2026-12-01', '2026-12-01T23:00:00Z', '1 Dec 2026'],
  ['2026-03-28', '2026-03-28T23:00:00Z', '28 Mar 2026'],
  ['2026-12-31', '2026-12-31T23:00:00Z', '31 Dec 2026'],
  ['2026-12-01T18:00', '2026-12-01T17:00:00Z', '1 Dec 2026, 18:00 (Europe/Brussels)'],
  ['2026-07-01T18:00', '2026-07-01T16:00:00Z', '1 Jul 2026, 18:00 (Europe/Brussels)'],
  ['2026-12-01T18:00Z', '2026-12-01T18:00:00Z', '1 Dec 2026, 19:00 (Europe/Brussels)'],
  ['2026-12-01T18:00-05:00', '2026-12-01T23:00:00Z', '2 Dec 2026, 00:00 (Europe/Brussels)'],
] as const)('a notice until %s ends at %s', ([until, end, shown]) => {
  const notice = toSiteNotice({ ...settings, until }, { timeZone, now: () => Date.parse(end) - 7 });
  expect(notice.leftMs()).toBe(7);
  expect(notice.until).toBe(shown);
});

test('no cache outlives a notice', () => {
  let now = Date.parse('2026-12-01T17:00:00Z');
  const options = { timeZone, now: () => now };
  const notice = toSiteNotice({ ...settings, until: '2026-12-01T18:10' }, options);
  const freshness = untilNoticeEnds(() => 'public, max-age=300', notice);
  expect(freshness()).toBe('public, max-age=300');
  now += 301_000;
  expect(freshness()).toBe('no-cache');
  now += 299_000;
  expect(freshness()).toBeNull();
  expect(untilNoticeEnds(() => null, notice)()).toBeNull();
});
