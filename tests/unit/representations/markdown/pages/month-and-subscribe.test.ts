import { expect, test } from 'vitest';
import { toMonthMarkdown } from '#lib/representations/markdown/pages/month.ts';
import { toSubscribeMarkdown } from '#lib/representations/markdown/pages/subscribe.ts';
import { makeEvent, makeEvents } from '../../../../support/factories/event-factory.ts';
import { testSite as site } from '../../../../support/test-site.ts';

const month = {
  site,
  month: '2026-12',
  urlMonth: '2026-12',
  today: '2026-11-22',
  filters: { format: ['online'] },
  problems: [],
  suggestions: [],
  searchChips: [],
  sendsMails: false,
} as const;

test('a month lists the events that are on in it, and links to its other representations', () => {
  const events = [
    makeEvent({ name: 'Before', startDate: '2026-11-01', endDate: '2026-11-30' }),
    makeEvent({ name: 'Into it', startDate: '2026-11-30', endDate: '2026-12-01' }),
    makeEvent({ name: 'For ever', startDate: '2026-01-01', endDate: null }),
    makeEvent({ name: 'After', startDate: '2027-01-01', endDate: '2027-01-01' }),
  ];
  const markdown = toMonthMarkdown(events, month);
  expect(markdown).toMatch(/^# Marquee: December 2026\n/);
  expect(markdown).toContain('2 events are on in this month and match the filters in the URL.');
  expect(markdown.match(/^\| \[.*?\]/gm)).toEqual(['| [Into it]', '| [For ever]']);
  expect(markdown).toContain('(https://events.example/calendar?format=online&month=2026-12)');
  expect(markdown).toContain(
    '(https://events.example/api/v1/events?format=online,both&from=2026-12-01&to=2026-12-31)',
  );
  expect(markdown).toContain(
    '[January 2027](https://events.example/calendar.md?format=online&month=2027-01)',
  );
});

test('10,000 events in a month give a page below 50,000 characters that links to the rest', () => {
  const markdown = toMonthMarkdown(makeEvents(10_000), month);
  expect(markdown.length).toBeLessThan(50_000);
  expect(markdown).toMatch(/\d+ more are not in this table\. Read them \[as JSON\]/);
});

test('subscriptions: the addresses with the filters, and the next three events', () => {
  const markdown = toSubscribeMarkdown(makeEvents(5), month);
  expect(markdown).toContain('Events: Online.');
  expect(markdown).toContain(
    '(https://events.example/api/v1/events/calendar.ics?format=online,both)',
  );
  expect(markdown).toContain('A subscription updates by itself. A downloaded file does not.');
  expect(markdown.match(/^- \[Event number/gm)).toHaveLength(3);
});

test('subscriptions without an event to come say so', () => {
  const markdown = toSubscribeMarkdown([], { ...month, filters: {} });
  expect(markdown).toContain('Events: all.');
  expect(markdown).toContain('None at the moment.');
});

test('subscriptions offer mails where the site sends them', () => {
  const options = { ...month, sendsMails: true };
  expect(toSubscribeMarkdown([], options)).toContain(
    '[Subscribe on the page](https://events.example/subscribe?format=online#mail)',
  );
  expect(toSubscribeMarkdown([], month)).not.toContain('One email a week');
});

test('subscriptions and months say what their search was understood as', () => {
  const searchChips = [
    { label: 'Online', rest: 'robots' },
    { label: '“robots”', rest: 'online' },
  ];
  const options = { ...month, filters: { q: 'online robots' }, searchChips };
  const line = 'The search was understood as: Online · “robots”.\n';
  expect(toSubscribeMarkdown([], options)).toContain(line);
  expect(toMonthMarkdown([], options)).toContain(line);
  expect(toMonthMarkdown([], month)).not.toContain('understood');
});
