import type { Kysely, Transaction } from 'kysely';
import { yieldToEventLoop } from '#lib/http/time-slices.ts';
import type { Schema } from '#lib/storage/schema.ts';

/** Queries of the table of slugs. Large ones are made in parts, since SQLite blocks the event loop meanwhile. */

/** SQLite takes 32,766 parameters in a statement; a row has 4. */
const rowsMax = 500;

export type SlugRow = Schema['marquee_event_slugs'];

/** All slugs that these events have or had. */
export function selectSlugsOf(db: Kysely<Schema>, ids: readonly string[]): Promise<SlugRow[]> {
  return selectWhere(db, 'event_id', ids);
}

/** Whose these slugs are or were; nothing of those that nobody ever had. */
export function selectOwners(db: Kysely<Schema>, slugs: readonly string[]): Promise<SlugRow[]> {
  return selectWhere(db, 'slug', slugs);
}

async function selectWhere(
  db: Kysely<Schema>,
  column: 'slug' | 'event_id',
  values: readonly string[],
): Promise<SlugRow[]> {
  const found: SlugRow[] = [];
  for (const part of toParts(values)) {
    const rows = await db
      .selectFrom('marquee_event_slugs')
      .selectAll()
      .where(column, 'in', part)
      .execute();
    for (const row of rows) found.push(row);
    await yieldToEventLoop();
  }
  return found;
}

export async function writeSlugs(db: Transaction<Schema>, rows: readonly SlugRow[]): Promise<void> {
  for (const part of toParts(rows)) {
    await db
      .insertInto('marquee_event_slugs')
      .values(part)
      .onConflict((on) =>
        on.column('slug').doUpdateSet(({ ref }) => ({
          event_id: ref('excluded.event_id'),
          read_at: ref('excluded.read_at'),
          name: ref('excluded.name'),
        })),
      )
      .execute();
    await yieldToEventLoop();
  }
}

function* toParts<T>(values: readonly T[]): Generator<T[]> {
  for (let start = 0; start < values.length; start += rowsMax) {
    yield values.slice(start, start + rowsMax);
  }
}
