import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toEmbedErrorHtml, toEmbedHtml } from '#lib/representations/embed/embed-page.ts';
import { parseEmbedQuery } from '#lib/representations/embed/embed-query.ts';
import { makeEvent, makeEvents } from '../../../support/factories/event-factory.ts';
import { hostileEvent, hostileText } from '../../../support/factories/hostile-text.ts';
import { testSite as site } from '../../../support/test-site.ts';

const today = '2026-11-22';

function write(search: string, events = [makeEvent()]): string {
  return toEmbedHtml(events, { site, query: parseEmbedQuery(search), today });
}

test('an event is a link to its page that opens in a new tab, with its days and place', () => {
  const html = write('');
  expect(html).toContain(
    '<h2><a href="https://events.example/events/lantern-jam" target="_blank" rel="noopener"><bdi>Lantern Jam</bdi></a></h2>',
  );
  expect(html).toContain(
    '<p><bdi>12–14 Dec, Sat–Mon, in 3 weeks\u00a0· In person: 13–14 Dec\u00a0· Lisbon, Portugal</bdi></p>',
  );
  expect(html).toContain('--poster-background:#102030;--poster-text:');
});

test('a cancelled event says so in its title and in place of its date', () => {
  const html = write('', [makeEvent({ state: 'cancelled' })]);
  expect(html).toContain('<bdi>Cancelled: Lantern Jam</bdi>');
  expect(html).toMatch(/<div class="tile"[^>]*>Cancelled<\/div>/);
});

test('an event that has begun says so in place of its date, with a time or without', () => {
  const ongoing = makeEvent({ status: 'ongoing', startDate: today, endDate: today });
  expect(write('', [ongoing])).toMatch(/<div class="tile"[^>]*>On now<\/div>/);
  const timed = { ...ongoing, startTime: '18:30' };
  expect(write('', [timed])).toMatch(/<div class="tile"[^>]*>On now<\/div>/);
});

test('every link opens in a new tab', () => {
  const links = write('?count=20', makeEvents(30)).match(/<a [^>]*>/g) ?? [];
  expect(links).toHaveLength(23);
  for (const link of links) expect(link).toContain('target="_blank" rel="noopener"');
});

test('it needs no script, no other file and no form', () => {
  expect(write('')).not.toMatch(/<script|<img|<link rel="stylesheet|@import|url\(|<form|<iframe/);
});

test('its description says whose events these are', () => {
  expect(write('')).toContain(`<meta name="description" content="Events of ${site.name}.">`);
});

test('the footer says how many events there are, and takes the filters along', () => {
  const html = write('?format=online&count=2', makeEvents(30));
  expect(html).toContain('<a href="https://events.example/?format=online"');
  expect(html).toContain('All 30 events');
  expect(html).toContain('<a href="https://events.example/subscribe?format=online"');
});

test('a scheme is set on the document; by default the visitor’s system decides', () => {
  expect(write('?scheme=dark')).toContain('<html lang="en" data-scheme="dark">');
  expect(write('')).toContain('<html lang="en">');
});

test('without events it says so', () => {
  expect(write('', [])).toContain('Nothing is planned at the moment.');
});

test('no text of an event and no search becomes HTML', () => {
  const search = `?q=${encodeURIComponent('</title></style><script>"\'')}`;
  fc.assert(
    fc.property(hostileEvent, hostileText, (event, text) => {
      const name = `<script>${text}"><svg onload=x>`;
      const inPerson = { start: null, end: null, location: name };
      const html = write(search, [{ ...event, name, inPerson }]);
      expect(html).not.toMatch(/<script|<svg|<br|<!--/);
      expect(html.match(/<\/style>/g)).toHaveLength(1);
    }),
  );
});

test('an error is a page, too, and shows its hint as text', () => {
  const html = toEmbedErrorHtml({ message: 'Invalid <b>.', hint: 'Try `x`.' }, site);
  expect(html).toContain('Invalid &#x3C;b>. Try `x`.');
});
