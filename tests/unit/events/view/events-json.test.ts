import { expect, test } from 'vitest';
import { toEventListJson, writeEventListJson } from '#lib/events/view/events-json.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';

test.for([0, 1, 121])(
  'a list of %d events that is written in parts has the bytes of one that is written at once',
  async (length) => {
    const signedUrls = new Map([
      ['rec120', { logo: 'https://files.example/a.png', background: null }],
    ]);
    const events = Array.from({ length }, (_, at) => makeEvent({ id: `rec${at}` }));
    const read = { generatedAt: '2026-11-24T12:00:00.000Z', signedUrls };
    const atOnce = await toEventListJson(events, read, () => undefined);
    expect([...writeEventListJson(events, read)].join('')).toBe(atOnce.toString());
  },
);
