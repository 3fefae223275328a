import { describe, expect, it } from 'vitest';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { findMove, toMailedFacts } from '#lib/site/notifications/mail/digest/mention-store.ts';
import { makeEvent } from '../../../../../support/factories/event-factory.ts';

const atHall = (location: string) => ({ inPerson: { start: null, end: null, location } });
const before = makeEvent({ ...atHall('Market Hall, Ghent'), startTime: '18:30' });
const move = (changes: Partial<MarqueeEvent>, mailed: Partial<MarqueeEvent> = {}) =>
  findMove(toMailedFacts({ ...before, ...mailed }), { ...before, ...changes });

describe('findMove', () => {
  it.each([
    ['cancelled', { state: 'cancelled' }],
    ['postponed', { state: 'postponed' }],
    ['moved-online', { state: 'moved-online', inPerson: null }],
    ['moved', { startDate: '2026-12-13' }],
    ['moved', { endDate: null }],
    ['moved', { startTime: '19:00' }],
    ['moved', atHall('Town Library, Ghent')],
  ] satisfies [string, Partial<MarqueeEvent>][])('finds that an event is %s', (found, changes) => {
    expect(move(changes)).toBe(found);
  });

  it.each([
    ['its name', { name: 'Another name' }],
    ['the words for the same place', atHall('Market Hall')],
    ['a time that is told for the first time', { endTime: '21:00' }],
    ['that it is over', { status: 'ended', startDate: '2026-11-01' }],
  ] satisfies [string, Partial<MarqueeEvent>][])('does not take %s for a move', (_, changes) => {
    expect(move(changes)).toBeNull();
  });

  it('says no more of an event that was cancelled', () => {
    const cancelled = { state: 'cancelled' } as const;
    expect(move({ startDate: '2027-01-01' }, cancelled)).toBeNull();
    expect(move({ state: 'postponed' }, cancelled)).toBeNull();
  });

  it('tells the new dates of an event that was postponed', () => {
    expect(move({ startDate: '2027-01-01', endDate: null }, { state: 'postponed' })).toBe('moved');
  });
});
