import type { Transaction } from 'kysely';
import type { RecordedChange } from '#lib/events/changes/change.ts';
import { listFields, pick } from '#lib/events/model/field-lists.ts';
import { enqueue } from '#lib/outbox/enqueue.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { toMailDelivery } from '../mail-delivery.ts';
import { findMentionsOf, findMove, type MailedEvent, type Mention } from './mention-store.ts';

/** An event that moves again and again fills no inbox; the next digest has what holds then. */
const movesMax = 3;
/** More are not told one by one. */
const eventsMax = 40;

/** What a mail needs of an event: other fields may be long. */
const mailFields = ['id', 'slug', 'name', 'status', ...listFields('facts')] as const;

/** Enqueues mails to everybody who was told otherwise of an event that was cancelled, postponed or moved. */
export async function enqueueMoves(
  db: Transaction<Schema>,
  recorded: readonly RecordedChange[],
): Promise<void> {
  const changed = recorded.flatMap(({ change, before, after }) =>
    change.type === 'event.changed' && before !== null && after !== null ? [after] : [],
  );
  const [first] = recorded;
  if (changed.length === 0 || first === undefined) return;
  const byId = new Map(changed.map((event) => [event.id, pick(event, mailFields)]));
  const readers = new Map<string, MailedEvent[]>();
  for (const mention of await findMentionsOf(db, [...byId.keys()])) {
    const event = byId.get(mention.eventId);
    if (event === undefined || !isToTell(mention, event)) continue;
    const events = readers.get(mention.subscriptionId) ?? [];
    if (events.length < eventsMax) events.push(event);
    readers.set(mention.subscriptionId, events);
  }
  const readAt = Date.parse(first.change.timestamp);
  const deliveries = [...readers].map(([id, events]) =>
    toMailDelivery({ type: 'move', id, readAt, events }),
  );
  await enqueue(db, deliveries, readAt);
}

/** Whether a reader has to hear of an event at once. */
export function isToTell({ facts, moves }: Mention, event: MailedEvent): boolean {
  const move = findMove(facts, event);
  return move === 'cancelled' || (move !== null && moves < movesMax);
}
