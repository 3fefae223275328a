import fc from 'fast-check';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { makeEvent } from './event-factory.ts';

const fragments = [
  ']]>',
  '\r\n',
  '\r',
  '\n\n',
  '\u2028',
  '\x85',
  '\0',
  '\x07',
  '\x1b[31m',
  '\ufeff',
  '\uffff',
  '\ud800',
  '\udc00',
  '😀',
  '👩‍👩‍👧',
  'é',
  '&amp;',
  '&#0;',
  '&',
  '<',
  '>',
  '<!--',
  '-->',
  '<script>alert(1)</script>',
  '<br>',
  '<html>',
  '<?xml',
  '# ',
  '## ',
  '\n# ',
  '\n===\n',
  '\n---\n',
  '- ',
  '1. ',
  '> ',
  '```',
  '~~~',
  '`',
  '|',
  '\n|a|b|\n|-|-|\n',
  '*',
  '**',
  '_',
  '[',
  ']',
  '(',
  ')',
  '![',
  '[a](javascript:alert(1))',
  '[a](https://x.example/?a=1&b=2)',
  '<https://y.example>',
  'www.z.example',
  'a@b.example',
  '[^1]',
  '\n[^1]: note\n',
  '\n[a]: data:x\n',
  '\\',
  ';',
  ',',
  ':',
  '"',
  "'",
  '%0A',
  ' ',
  '\t',
  '    ',
  'BEGIN:VEVENT',
  'END:VCALENDAR',
  '\r\nATTACH:x',
  'word ',
  'Ünïcödé ',
  '漢字',
];

/** Any text: lone surrogates, and fragments of markup. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...fragments) },
      {
        weight: 1,
        arbitrary: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''));

const day = fc
  .integer({ min: 0, max: 40_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));

const hostileUrl = fc.oneof(
  hostileText,
  fc.constantFrom('javascript:alert(1)', 'data:text/html,x'),
);

/** Events with hostile texts and valid dates. */
export const hostileEvent: fc.Arbitrary<MarqueeEvent> = fc
  .record({
    id: fc.oneof(
      fc.constant('recV7kQ2mXw4Tn9Lb'),
      hostileText.map((text) => `x${text}`),
    ),
    slug: hostileText.map((text) => `x${text.slice(0, 80)}`),
    name: hostileText,
    description: fc.option(hostileText),
    url: fc.option(hostileUrl),
    status: fc.constantFrom('upcoming', 'ongoing', 'ended'),
    startDate: day,
    endDate: fc.option(day),
    format: fc.option(fc.constantFrom('in-person', 'online', 'both')),
    inPerson: fc.option(
      fc.record({ start: fc.option(day), end: fc.option(day), location: fc.option(hostileText) }),
    ),
    slackChannel: fc.option(hostileText),
    slackUrl: fc.option(hostileUrl),
    requirements: fc.option(hostileText),
    pinned: fc.boolean(),
  })
  .map(makeEvent);
