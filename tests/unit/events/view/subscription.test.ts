import { expect, test } from 'vitest';
import type { EventsQuery } from '#lib/events/query/events-query.ts';
import { calendarPrograms, toFeedLinks, toSubscription } from '#lib/events/view/subscription.ts';
import { testSite as site } from '../../../support/test-site.ts';

test('all events', () => {
  expect(toSubscription({}, site)).toEqual({
    title: 'Marquee: all events',
    calendar: 'https://events.example/api/v1/events/calendar.ics',
    webcal: 'webcal://events.example/api/v1/events/calendar.ics',
    google:
      'https://calendar.google.com/calendar/render?cid=webcal%3A%2F%2Fevents.example%2Fapi%2Fv1%2Fevents%2Fcalendar.ics',
    outlook:
      'https://outlook.live.com/calendar/0/addfromweb?url=https%3A%2F%2Fevents.example%2Fapi%2Fv1%2Fevents%2Fcalendar.ics&name=Marquee%3A+all+events',
    office:
      'https://outlook.office.com/calendar/0/addfromweb?url=https%3A%2F%2Fevents.example%2Fapi%2Fv1%2Fevents%2Fcalendar.ics&name=Marquee%3A+all+events',
    changesRss: 'https://events.example/api/v1/events/changes/rss',
  });
});

test('who subscribes to online events also gets those that are both', () => {
  const filters: EventsQuery = { format: ['online'], q: 'jam' };
  const { title, calendar } = toSubscription(filters, site);
  expect(title).toBe('Marquee: Online, “jam”');
  expect(calendar).toBe(
    'https://events.example/api/v1/events/calendar.ics?format=online,both&q=jam',
  );
  expect(toFeedLinks(filters, site).map(({ url }) => url)).toEqual([
    'https://events.example/api/v1/events/rss?format=online,both&q=jam',
    'https://events.example/api/v1/events/feed.atom?format=online,both&q=jam',
    'https://events.example/api/v1/events/feed.json?format=online,both&q=jam',
  ]);
});

test('each program has three steps and a link', () => {
  for (const { steps, link } of calendarPrograms) {
    expect(steps).toHaveLength(3);
    expect(toSubscription({}, site)[link]).toMatch(/^(?:webcal|https):/);
  }
});
