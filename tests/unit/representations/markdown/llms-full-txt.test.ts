import { expect, test } from 'vitest';
import { fullTextLengthMax, toLlmsFullTxt } from '#lib/representations/markdown/llms-full-txt.ts';
import { makeEvent, makeEvents } from '../../../support/factories/event-factory.ts';
import { testSite as site } from '../../../support/test-site.ts';

const options = {
  site,
  pages: [() => '# A page\n'],
  changedAtMs: Date.parse('2026-11-20T08:05:09.000Z'),
};

test('pages come first, then current, upcoming and past events', async () => {
  const text = await toLlmsFullTxt(
    [
      makeEvent({ name: 'Gone', status: 'ended' }),
      makeEvent({ name: 'Comes' }),
      makeEvent({ name: 'Runs', status: 'ongoing' }),
    ],
    options,
  );
  const titles = [...text.matchAll(/^# (.+)$/gm)].map(([, title]) => title);
  expect(titles).toEqual(['Marquee: full text', 'A page', 'Runs', 'Comes', 'Gone']);
  expect(text).toContain('3 events. Last changed 2026-11-20T08:05:09.000Z.');
  expect(text).toContain('Build a lantern that *reacts* to sound.');
});

test('10,000 events are cut to a readable length, with the number of missing ones', async () => {
  let yields = 0;
  const yieldWhenDue = () => {
    yields++;
    return undefined;
  };
  const text = await toLlmsFullTxt(makeEvents(10_000), { ...options, yieldWhenDue });
  expect(text.length).toBeLessThan(fullTextLengthMax + 10_000);
  const [, shown = '', hidden = ''] =
    /(\d+) events\. Last changed \S+ (\d+) events that ended/.exec(text) ?? [];
  expect(Number(shown) + Number(hidden)).toBe(10_000);
  expect(text.split('\n---\n')).toHaveLength(Number(shown) + 2);
  expect(yields).toBe(Number(shown) + options.pages.length);
});

test('without events only the pages are listed', async () => {
  const text = await toLlmsFullTxt([], options);
  expect(text).toContain('0 events');
  expect(text).toContain('# A page');
});
