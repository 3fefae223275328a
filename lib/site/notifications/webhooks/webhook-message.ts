import type { ChangedValues, EventChange, RecordedChange } from '#lib/events/changes/change.ts';
import type { EventStatus } from '#lib/events/model/schema.ts';
import type { TimeZone } from '#lib/events/model/zoned-time.ts';
import { selectEvents } from '#lib/events/search/select-events.ts';
import { createSnapshot } from '#lib/events/source/snapshot.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import type { NewDelivery } from '#lib/outbox/delivery.ts';
import { readFilter } from './webhook-input.ts';
import type { Webhook } from './webhook-store.ts';

/** What the admins are told when something goes wrong. Names no member and no address. */
export type Alert = Readonly<{
  type: `alert.${string}`;
  /** When it was found, RFC 3339. */
  timestamp: string;
  data: Readonly<Record<string, unknown>>;
}>;

const bytesMax = 20_000;

/** The body of a webhook for a change: longer than 20 kB without its longest values, of which the names stay. */
export function toChangeBody(change: EventChange): string {
  const { type, timestamp } = change;
  const write = (data: EventChange) => JSON.stringify({ type, timestamp, data });
  let data = change;
  while (Buffer.byteLength(write(data)) > bytesMax) {
    const longest = findLongest(data);
    if (longest === null) break;
    data = { ...data, old: without(data.old, longest), new: without(data.new, longest) };
  }
  return write(data);
}

function without(values: ChangedValues, name: string): ChangedValues {
  return Object.fromEntries(Object.entries(values).filter(([field]) => field !== name));
}

function findLongest({ old, new: rest }: EventChange): string | null {
  const lengths = [...Object.entries(old), ...Object.entries(rest)].map(
    ([name, value]) => [name, JSON.stringify(value)?.length ?? 0] as const,
  );
  return lengths.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

function toAlertBody({ type, timestamp, data }: Alert): string {
  return JSON.stringify({ type, timestamp, data });
}

export const testType = 'webhook.test';

/** A message that shows whether a webhook works. */
export function toTestBody(now: number): string {
  const timestamp = new Date(now).toISOString();
  const data = { message: 'This is a test. Nothing has changed.' };
  return JSON.stringify({ type: testType, timestamp, data });
}

/** Whether a webhook gets messages of a type: it names the type, or a prefix of it with `*`. */
export function hasType(types: readonly string[], type: string): boolean {
  return types.some((pattern) =>
    pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type,
  );
}

/** The time by the clock, Unix ms, and the site's time zone. */
type Moment = Readonly<{ nowMs: number; timeZone: TimeZone }>;

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
  const [before, after] = await Promise.all([
    toSnapshot(recorded, 'before', moment),
    toSnapshot(recorded, 'after', moment),
  ]);
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

async function toSnapshot(
  recorded: readonly RecordedChange[],
  side: 'before' | 'after',
  moment: Moment,
) {
  const statuses = new Map<string, EventStatus>();
  const drafts = recorded.flatMap(({ [side]: event }) => {
    if (event === null) return [];
    const { slug: _, status, ...draft } = event;
    statuses.set(event.id, status);
    return [{ ...draft, attachments: { logo: null, background: null } }];
  });
  const yieldWhenDue = createTimeSlices();
  const snapshot = await createSnapshot(drafts, {
    ...moment,
    readAtMs: moment.nowMs,
    yieldWhenDue,
  });
  // An event that has just begun was upcoming before.
  const events = snapshot.events.map((event) => {
    return { ...event, status: statuses.get(event.id) ?? event.status };
  });
  return { ...snapshot, events };
}
