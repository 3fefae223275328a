import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { listFields, pick, pickSchemas } from '#lib/events/model/field-lists.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type FactsEvent, toPlace } from '#lib/events/view/event-facts.ts';
import { foldText } from '#lib/events/words/fold-text.ts';
import type { Schema } from '#lib/storage/schema.ts';
import { readStored } from '#lib/storage/stored-json.ts';
import { type MentionReason, mentionReasons } from './plan-digest.ts';

/** What mails to a reader have said of an event. */
export type Mention = Readonly<{
  subscriptionId: string;
  eventId: string;
  /** Of the digests that mentioned it. */
  reasons: readonly MentionReason[];
  facts: MailedFacts;
  /** How many mails said that it was moved. */
  moves: number;
}>;

/** SQLite takes 32,766 parameters in a statement. */
const idsMax = 10_000;
const storedMs = 400 * 86_400_000;

/** Of a reader, by event. */
export async function findMentions(
  db: Kysely<Schema>,
  subscriptionId: string,
): Promise<ReadonlyMap<string, Mention>> {
  const rows = await selectMentions(db).where('subscription_id', '=', subscriptionId).execute();
  return new Map(rows.flatMap(toMentions).map((mention) => [mention.eventId, mention]));
}

/** What was mentioned to some readers: by reader, then by event. Without what was said. */
export async function findMentioned(
  db: Kysely<Schema>,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, Pick<Mention, 'reasons' | 'moves'>>>> {
  const byReader = new Map(
    subscriptionIds.map((id) => [id, new Map<string, Pick<Mention, 'reasons' | 'moves'>>()]),
  );
  if (subscriptionIds.length === 0) return byReader;
  const rows = await db
    .selectFrom('marquee_mail_mentions')
    .select(['subscription_id', 'event_id', 'reasons', 'moves'])
    .where('subscription_id', 'in', subscriptionIds)
    .execute();
  for (const { subscription_id, event_id, reasons, moves } of rows) {
    const read = readStored(storedReasons, reasons, []);
    byReader.get(subscription_id)?.set(event_id, { reasons: read, moves });
  }
  return byReader;
}

/** Of some events, for all readers. */
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

/** SQLite takes 32,766 parameters in a statement; a mention has six. */
const rowsMax = 5_000;

/** Stores what mails say. */
export async function saveMentions(
  db: Transaction<Schema>,
  mentions: readonly Mention[],
  now: number,
): Promise<void> {
  const rows = mentions.map(({ subscriptionId, eventId, reasons, facts, moves }) => ({
    subscription_id: subscriptionId,
    event_id: eventId,
    reasons: JSON.stringify(reasons),
    told: JSON.stringify(facts),
    moves,
    mentioned_at: now,
  }));
  for (let from = 0; from < rows.length; from += rowsMax) {
    await db
      .insertInto('marquee_mail_mentions')
      .values(rows.slice(from, from + rowsMax))
      .onConflict((on) =>
        on.columns(['subscription_id', 'event_id']).doUpdateSet(({ ref }) => ({
          reasons: ref('excluded.reasons'),
          told: ref('excluded.told'),
          moves: ref('excluded.moves'),
          mentioned_at: ref('excluded.mentioned_at'),
        })),
      )
      .execute();
  }
}

export async function pruneMentions(db: Kysely<Schema>, now: number): Promise<void> {
  const mentions = db.deleteFrom('marquee_mail_mentions').where('reminded_at', 'is', null);
  await mentions.where('mentioned_at', '<', now - storedMs).execute();
}

const columns = ['subscription_id', 'event_id', 'reasons', 'told', 'moves'] as const;

function selectMentions(db: Kysely<Schema>) {
  return db.selectFrom('marquee_mail_mentions').select(columns);
}

type Row = Readonly<Pick<Schema['marquee_mail_mentions'], (typeof columns)[number]>>;

const storedReasons = z.array(z.enum(mentionReasons));

const moveFields = listFields('moves');
const storedFacts = z.object({ ...pickSchemas(moveFields), place: z.string().nullable() });

/** None if it cannot be read: what it said is not known. */
function toMentions(row: Row): Mention[] {
  const facts = readStored(storedFacts.nullable(), row.told, null);
  if (facts === null) return [];
  const reasons = readStored(storedReasons, row.reasons, []);
  return [
    {
      subscriptionId: row.subscription_id,
      eventId: row.event_id,
      reasons,
      facts,
      moves: row.moves,
    },
  ];
}

/** When and where an event is, as a mail has it. */
export type MailedFacts = Readonly<z.infer<typeof storedFacts>>;

/** An event, as far as mails need it. */
export type MailedEvent = FactsEvent & Pick<MarqueeEvent, 'id' | 'slug' | 'name' | 'status'>;

export type Move = 'cancelled' | 'postponed' | 'moved-online' | 'moved';

export function toMailedFacts(event: MailedEvent): MailedFacts {
  return { ...pick(event, moveFields), place: toPlace(event) };
}

/** What a reader has to hear at once: how an event differs from what they were told; null for nothing. */
export function findMove(before: MailedFacts, event: MailedEvent): Move | null {
  // Who was told that it is cancelled hears no more of it at once; a digest mentions it if it takes place after all.
  if (before.state === 'cancelled' || event.status === 'ended') return null;
  const { state } = event;
  if (state !== before.state && state !== 'scheduled') return state;
  if (state === 'postponed') return null;
  const now = toMailedFacts(event);
  const isMoved =
    before.state !== state ||
    now.startDate !== before.startDate ||
    now.endDate !== before.endDate ||
    (before.startTime !== null && now.startTime !== null && now.startTime !== before.startTime) ||
    (state !== 'moved-online' && isOtherPlace(before.place, now.place));
  return isMoved ? 'moved' : null;
}

/** A place that is only described in more or fewer words is the same. */
function isOtherPlace(before: string | null, after: string | null): boolean {
  if (before === null || after === null) return false;
  const [earlier, later] = [foldText(before), foldText(after)];
  return !earlier.includes(later) && !later.includes(earlier);
}
