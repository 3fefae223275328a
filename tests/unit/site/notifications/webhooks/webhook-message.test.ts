import { expect, test } from 'vitest';
import { hasType, toChangeBody } from '#lib/site/notifications/webhooks/webhook-message.ts';
import { makeChange } from '../../../../support/factories/webhook-factory.ts';

test('a body has at most 20 kB: the longest values go, and all names stay', () => {
  const { change } = makeChange(
    { name: 'é'.repeat(9_000), startDate: '2026-12-12' },
    { name: '🎪'.repeat(9_000), startDate: '2027-01-02' },
  );
  const body = toChangeBody(change);
  expect(Buffer.byteLength(body)).toBeLessThan(20_000);
  expect(JSON.parse(body).data).toMatchObject({
    fields: ['name', 'startDate'],
    old: { startDate: '2026-12-12' },
    new: { startDate: '2027-01-02' },
  });
  expect(JSON.parse(body).data.new).not.toHaveProperty('name');
});

test('a body that fits is the change itself', () => {
  const { change } = makeChange(null, { name: 'Lantern Jam' });
  const { type, timestamp } = change;
  expect(JSON.parse(toChangeBody(change))).toEqual({ type, timestamp, data: change });
});

test('types are names and prefixes', () => {
  expect(hasType(['event.*'], 'event.added')).toBe(true);
  expect(hasType(['event.*'], 'alert.table_unreadable')).toBe(false);
  expect(hasType(['event.added'], 'event.removed')).toBe(false);
  expect(hasType(['alert.*', 'event.removed'], 'event.removed')).toBe(true);
});
