import type { EventDraft } from '#lib/events/model/schema.ts';
import { makeEvent } from './event-factory.ts';

/** A complete draft, with what a test is about put in place of the defaults. */
export function makeDraft(overrides: Partial<EventDraft> = {}): EventDraft {
  const { slug: _slug, status: _status, pictures: _pictures, ...draft } = makeEvent();
  return { ...draft, attachments: { logo: null, background: null }, ...overrides };
}

/** Drafts with ids of their own, announced one after the other. */
export function makeDrafts(
  count: number,
  overrides: (index: number) => Partial<EventDraft> = () => ({}),
): EventDraft[] {
  return Array.from({ length: count }, (_, index) =>
    makeDraft({
      id: makeRecordId(index),
      name: `Event number ${index}`,
      announcedAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
      ...overrides(index),
    }),
  );
}

/** A record id in the upstream's form. */
export function makeRecordId(index: number): string {
  return `rec${String(index).padStart(14, '0')}`;
}
