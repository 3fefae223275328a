import type { ComparedEvent, RecordedChange } from '#lib/events/changes/change.ts';
import { selectEvents } from '#lib/events/search/select-events.ts';
import { createSnapshot } from '#lib/events/source/snapshot.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import type { NewDelivery } from '#lib/outbox/delivery.ts';
import { readFilter } from './webhook-input.ts';
import { type Alert, hasType, toAlertBody, toChangeBody } from './webhook-message.ts';
import type { Webhook } from './webhook-store.ts';

/** The clock's time, and its day in the time zone of events. */
type Moment = Readonly<{ now: number; day: string }>;

/**
 * One delivery a change for each active webhook that has its type and whose filter selects the event after the
 * change, or before it.
 */
export async function toChangeDeliveries(
  webhooks: readonly Webhook[],
  recorded: readonly RecordedChange[],
  moment: Moment,
): Promise<NewDelivery[]> {
  const active = webhooks.filter(({ state }) => state === 'active');
  if (active.length === 0) return [];
  const findMatches = await createFilterTest(active, recorded, moment);
  const bodies = recorded.map(({ change }) => toChangeBody(change));
  return active.flatMap(({ id, types, filter }) => {
    const matches = findMatches(filter);
    return recorded.flatMap(({ change }, index) => {
      const isSent = hasType(types, change.type) && (matches?.has(change.eventId) ?? true);
      return isSent ? [{ kind: 'webhook', target: id, payload: bodies[index] ?? '' } as const] : [];
    });
  });
}

/** An alert goes to the webhooks that name its type. */
export function toAlertDeliveries(webhooks: readonly Webhook[], alert: Alert): NewDelivery[] {
  const active = webhooks.filter(
    ({ state, types }) => state === 'active' && hasType(types, alert.type),
  );
  return active.map(({ id }) => ({ kind: 'webhook', target: id, payload: toAlertBody(alert) }));
}

/** The ids of the events that a filter selects; null: all. */
type FindMatches = (filter: string) => ReadonlySet<string> | null;

async function createFilterTest(
  webhooks: readonly Webhook[],
  recorded: readonly RecordedChange[],
  moment: Moment,
): Promise<FindMatches> {
  if (webhooks.every(({ filter }) => filter === '')) return () => null;
  // Filters are those of the list, which search in a snapshot.
  const [before, after] = [
    await toSnapshot(
      recorded.map((one) => one.before),
      moment,
    ),
    await toSnapshot(
      recorded.map((one) => one.after),
      moment,
    ),
  ];
  const known = new Map<string, ReadonlySet<string>>();
  return (filter) => {
    if (filter === '') return null;
    const query = readFilter(filter);
    const matches =
      known.get(filter) ??
      new Set(
        query === null
          ? []
          : [before, after].flatMap((all) => selectEvents(all, query).map(({ id }) => id)),
      );
    known.set(filter, matches);
    return matches;
  };
}

function toSnapshot(events: readonly (ComparedEvent | null)[], { now, day }: Moment) {
  const drafts = events.flatMap((event) => {
    if (event === null) return [];
    const { slug: _, status: __, ...draft } = event;
    return [{ ...draft, attachments: { logo: null, background: null } }];
  });
  return createSnapshot(drafts, { readAtMs: now, day, yieldWhenDue: createTimeSlices() });
}
