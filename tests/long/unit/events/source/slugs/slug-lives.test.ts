import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Database } from '#lib/database.ts';
import { toCompared } from '#lib/events/changes/change.ts';
import { findFormerEvent } from '#lib/events/source/slugs/former-slugs.ts';
import { createSlugLookup, createSlugSource } from '#lib/events/source/slugs/slug-source.ts';
import { type EventsSnapshot, findEvent } from '#lib/events/source/snapshot.ts';
import { makeDraft, makeRecordId } from '../../../../../support/factories/draft-factory.ts';
import { makeSnapshot } from '../../../../../support/factories/snapshot-factory.ts';
import {
  describeEachDatabase,
  openTestDatabase,
} from '../../../../../support/servers/each-database.ts';
import { createTestLog } from '../../../../../support/test-log.ts';

/** The life of events whose names are equal and change, over many reads by two processes. */

const eventCount = 50;
const readCount = 100;
const names = ['Jam', 'Jam 2', 'JAM!', 'Lantern Night', 'lantern  night', 'RSS', '夜', '🛠️'];

/** What happens to one event before a read. */
const step = fc.record({
  event: fc.nat(eventCount - 1),
  /** Null: its row is deleted, or comes back. */
  name: fc.option(fc.constantFrom(...names), { freq: 4 }),
});
type Step = Readonly<{ event: number; name: string | null }>;
const life = fc.array(fc.array(step, { maxLength: 6 }), {
  minLength: readCount,
  maxLength: readCount,
});

type Rows = ReadonlyMap<string, string>;

/** What a process serves after a read. */
async function serve(database: Database, rows: Rows, readAtMs: number): Promise<EventsSnapshot> {
  const drafts = [...rows].map(([id, name]) => makeDraft({ id, name }));
  const findSlugs = createSlugSource({
    assign: database.slugs.assign,
    log: createTestLog(),
    timeoutMs: 60_000,
  });
  const snapshot = await makeSnapshot(drafts, '2026-03-10', {
    readAtMs,
    slugs: await findSlugs({ events: drafts, readAtMs }),
    findStoredSlug: createSlugLookup(database.slugs.find),
  });
  expect(snapshot.hasStoredSlugs).toBe(true);
  await database.history.record(
    { ...snapshot, readAtMs, events: snapshot.events.map(toCompared) },
    { table: 'Events', reading: '', onChanges: async () => {}, log: createTestLog() },
  );
  return snapshot;
}

/** The id of the event that a URL shows or leads to, or what it says of it. */
async function open(snapshot: EventsSnapshot, slug: string): Promise<string> {
  const event = findEvent(snapshot, slug);
  if (event !== undefined) return event.id;
  const former = await findFormerEvent(snapshot, slug);
  return former?.kind === 'renamed' ? former.event.id : (former?.kind ?? 'unknown');
}

async function liveThrough(steps: readonly (readonly Step[])[], databases: readonly Database[]) {
  const [first, second] = databases;
  if (first === undefined || second === undefined) throw new Error('two are needed');
  const rows = new Map<string, string>();
  for (let index = 0; index < eventCount; index++) {
    rows.set(makeRecordId(index), names[index % 3] ?? '');
  }
  /** Slug → the event that has it, as long as that exists. */
  const owners = new Map<string, string>();
  const slugOfName = new Map<string, string>();
  const start = Date.now() - readCount * 1000;
  for (const [read, changes] of steps.entries()) {
    for (const { event, name } of changes) {
      const id = makeRecordId(event);
      if (name !== null) rows.set(id, name);
      else if (!rows.delete(id)) rows.set(id, names[event % names.length] ?? '');
    }
    const readAtMs = start + read * 1000;
    // One of them skips reads, as processes do.
    const seen = await serve(read % 3 === 0 ? second : first, rows, readAtMs);
    if (read % 7 === 0) {
      const other = await serve(read % 3 === 0 ? first : second, rows, readAtMs);
      expect(other.version).toBe(seen.version);
    }
    for (const key of slugOfName.keys()) {
      if (!rows.has(JSON.parse(key)[0])) slugOfName.delete(key);
    }
    for (const { id, slug, name } of seen.events) {
      const key = JSON.stringify([id, name]);
      // It keeps its slug as long as its name stays, and as long as it exists.
      expect(slugOfName.get(key) ?? slug).toBe(slug);
      slugOfName.set(key, slug);
      const owner = owners.get(slug) ?? id;
      if (rows.has(owner)) expect(owner).toBe(id);
      owners.set(slug, id);
    }
    if (read % 5 !== 0 && read !== readCount - 1) continue;
    for (const [slug, owner] of owners) {
      // No URL shows another event than the one that it belongs to.
      expect(await open(seen, slug)).toBe(rows.has(owner) ? owner : 'removed');
    }
  }
}

describeEachDatabase((createTestDatabase) => {
  test('whatever happens to fifty events over a hundred reads, no URL ever shows another event', async () => {
    await fc.assert(
      fc.asyncProperty(life, async (steps) => {
        const place = await createTestDatabase();
        await liveThrough(steps, [await openTestDatabase(place), await openTestDatabase(place)]);
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });
});
