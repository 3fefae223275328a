import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { listFields, pick, pickSchemas } from '#lib/events/model/field-lists.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { foldText } from '#lib/events/search/fold-text.ts';
import { type FactsEvent, toPlace } from '#lib/events/view/event-facts.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { readStored } from '#lib/storage/stored-json.ts';
import { type MentionReason, mentionReasons } from './plan-digest.ts';

/** What somebody was told of an event. */
export type Mention = Readonly<{
  subscriptionId: string;
  eventId: string;
  /** Of the digests that mentioned it. */
  reasons: readonly MentionReason[];
  told: Told;
  /** How many mails said that it was moved. */
  moves: number;
}>;

/** SQLite takes 32,766 parameters in a statement. */
const idsMax = 10_000;
const storedMs = 400 * 86_400_000;

/** What a reader was told, by event. */
export async function findMentions(
  db: Kysely<Schema>,
  subscriptionId: string,
): Promise<ReadonlyMap<string, Mention>> {
  const rows = await selectMentions(db).where('subscription_id', '=', subscriptionId).execute();
  return new Map(rows.flatMap(toMentions).map((mention) => [mention.eventId, mention]));
}

/** What anybody was told of some events. */
export async function findMentionsOf(
  db: Kysely<Schema>,
  eventIds: readonly string[],
): Promise<Mention[]> {
  const mentions: Mention[] = [];
  for (let from = 0; from < eventIds.length; from += idsMax) {
    const some = eventIds.slice(from, from + idsMax);
    const rows = await selectMentions(db).where('event_id', 'in', some).execute();
    mentions.push(...rows.flatMap(toMentions));
  }
  return mentions;
}

/** Stores what a mail tells. */
export async function saveMention(
  db: Transaction<Schema>,
  { subscriptionId, eventId, reasons, told, moves }: Mention,
  now: number,
): Promise<void> {
  const values = {
    reasons: JSON.stringify(reasons),
    told: JSON.stringify(told),
    moves,
    mentioned_at: now,
  };
  await db
    .insertInto('marquee_mail_mentions')
    .values({ subscription_id: subscriptionId, event_id: eventId, ...values })
    .onConflict((on) => on.columns(['subscription_id', 'event_id']).doUpdateSet(values))
    .execute();
}

export async function pruneMentions(db: Kysely<Schema>, now: number): Promise<void> {
  const mentions = db.deleteFrom('marquee_mail_mentions');
  await mentions.where('mentioned_at', '<', now - storedMs).execute();
}

const columns = ['subscription_id', 'event_id', 'reasons', 'told', 'moves'] as const;

function selectMentions(db: Kysely<Schema>) {
  return db.selectFrom('marquee_mail_mentions').select(columns);
}

type Row = Readonly<Pick<Schema['marquee_mail_mentions'], (typeof columns)[number]>>;

const storedReasons = z.array(z.enum(mentionReasons));

const moveFields = listFields('moves');
const storedTold = z.object({ ...pickSchemas(moveFields), place: z.string().nullable() });

/** None if it cannot be read: what it said is not known. */
function toMentions(row: Row): Mention[] {
  const told = readStored(storedTold.nullable(), row.told, null);
  if (told === null) return [];
  const reasons = readStored(storedReasons, row.reasons, []);
  return [
    { subscriptionId: row.subscription_id, eventId: row.event_id, reasons, told, moves: row.moves },
  ];
}

/** What a reader was told of when and where an event is. */
export type Told = Readonly<z.infer<typeof storedTold>>;

/** An event, as far as mails need it. */
export type MailedEvent = FactsEvent & Pick<MarqueeEvent, 'id' | 'slug' | 'name' | 'status'>;

export type Move = 'cancelled' | 'postponed' | 'moved-online' | 'moved';

export function toTold(event: MailedEvent): Told {
  return { ...pick(event, moveFields), place: toPlace(event) };
}

/** What a reader has to hear at once: how an event differs from what they were told; null for nothing. */
export function findMove(told: Told, event: MailedEvent): Move | null {
  // Who was told that it is cancelled hears no more of it at once; a digest mentions it if it takes place after all.
  if (told.state === 'cancelled' || event.status === 'ended') return null;
  const { state } = event;
  if (state !== told.state && state !== 'scheduled') return state;
  if (state === 'postponed') return null;
  const now = toTold(event);
  const isMoved =
    told.state !== state ||
    now.startDate !== told.startDate ||
    now.endDate !== told.endDate ||
    (told.startTime !== null && now.startTime !== null && now.startTime !== told.startTime) ||
    (state !== 'moved-online' && isOtherPlace(told.place, now.place));
  return isMoved ? 'moved' : null;
}

/** A place that is only told in more or fewer words is the same. */
function isOtherPlace(before: string | null, after: string | null): boolean {
  if (before === null || after === null) return false;
  const [one, other] = [foldText(before), foldText(after)];
  return !one.includes(other) && !other.includes(one);
}
