import type { EventDraft } from '#lib/events/model/schema.ts';
import { makeEvent } from './event-factory.ts';

/** Creates a complete draft. */
export function makeDraft(overrides: Partial<EventDraft> = {}): EventDraft {
  const {
    slug: _slug,
    status: _status,
    pictures: _pictures,
    ...draft
  } = makeEvent(overrides.price === undefined ? {} : { price: overrides.price });
  return { ...draft, attachments: { logo: null, background: null }, ...overrides };
}

/** Creates drafts with different ids, announced one after another. */
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

/** An Airtable record id. */
export function makeRecordId(index: number): string {
  return `rec${String(index).padStart(14, '0')}`;
}
