import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '#lib/storage/schema.ts';
import type { MentionReason } from './plan-digest.ts';
import type { Told } from './told.ts';

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
  return new Map(rows.map((row) => [row.event_id, toMention(row)]));
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
    mentions.push(...rows.map(toMention));
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

function toMention({ subscription_id, event_id, reasons, told, moves }: Row): Mention {
  return {
    subscriptionId: subscription_id,
    eventId: event_id,
    reasons: JSON.parse(reasons),
    told: JSON.parse(told),
    moves,
  };
}
