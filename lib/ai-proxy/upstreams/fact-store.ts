import { type Actor, appendToAuditLog } from '#lib/storage/audit-log.ts';
import type { RunQuery, RunTransaction } from '#lib/storage/schema.ts';
import { readStored, storedList } from '#lib/storage/stored-json.ts';
import { isTargetQuirk, type TargetQuirk } from '../quirks/quirk.ts';

/** What replies have shown: their cost where they are listed as free, and what is beyond their price and their bound. */
const shownFields = ['cost', 'cost_factor', 'output_factor'] as const;
export type ShownField = (typeof shownFields)[number];

/** A field, or what replies have shown. */
export type FactField = TargetQuirk | ShownField;

/** What a fact is about. */
type FactPlace = Readonly<{ upstream: string; model: string; field: FactField }>;

/** What a model at an upstream has taught by a request of one owner. */
export type LearnedFact = FactPlace &
  Readonly<{
    /** A hash. */
    owner: string;
    /** Of a field: see `TargetQuirks`. */
    taken: readonly string[];
    /** The request was plain, or for a number usual: see `isUsualRequest`. */
    isPlain: boolean;
    /** In our own words. */
    reason: string;
    /** Unix ms. */
    learnedAt: number;
  }>;

/** What workers and instances have learned of upstreams, for all of them and over restarts. */
export type FactStore = Readonly<{
  /** Of the last hour, the newest first. */
  list: () => Promise<readonly LearnedFact[]>;
  /** Replaces what the same owner has taught before, and removes what is too old or too much for one owner. */
  save: (facts: readonly LearnedFact[]) => Promise<void>;
  /** Of all owners. False: there is none. */
  drop: (place: Readonly<Record<keyof FactPlace, string>>, by: Actor) => Promise<boolean>;
}>;

/** How long a fact counts: servers change. */
export const factMs = 3_600_000;
const factsMax = 5000;
/** Of one owner, who may make up any names of models. */
const ownFactsMax = 250;

function isFactField(name: string): name is FactField {
  return isTargetQuirk(name) || shownFields.some((field) => field === name);
}

/** @param now Unix ms */
export function createFactStore(
  run: RunQuery,
  transact: RunTransaction,
  now: () => number,
): FactStore {
  return {
    list: () =>
      run(async (db) => {
        const rows = await db
          .selectFrom('marquee_owned_facts')
          .selectAll()
          .where('learned_at', '>', now() - factMs)
          .orderBy('learned_at', 'desc')
          .orderBy('upstream')
          .orderBy('model')
          .orderBy('field')
          .orderBy('owner')
          .limit(factsMax)
          .execute();
        return rows.flatMap(({ field, taken, is_plain, learned_at: learnedAt, ...row }) =>
          // An older version may not know the field.
          isFactField(field)
            ? [
                {
                  ...row,
                  field,
                  taken: readStored(storedList, taken, []),
                  isPlain: is_plain === 1,
                  learnedAt,
                },
              ]
            : [],
        );
      }),
    save: (facts) =>
      transact(async (db) => {
        await db
          .deleteFrom('marquee_owned_facts')
          .where('learned_at', '<=', now() - factMs)
          .execute();
        for (const { taken, isPlain, learnedAt, ...place } of facts) {
          const { reason } = place;
          const values = {
            taken: JSON.stringify(taken),
            is_plain: isPlain ? 1 : 0,
            reason,
            learned_at: learnedAt,
          };
          await db
            .insertInto('marquee_owned_facts')
            .values({ ...place, ...values })
            .onConflict((on) =>
              on
                .columns(['upstream', 'model', 'field', 'owner'])
                .doUpdateSet(values)
                // Another process may have learned more since.
                .where('marquee_owned_facts.learned_at', '<=', learnedAt),
            )
            .execute();
        }
        for (const owner of new Set(facts.map((fact) => fact.owner))) {
          const beyond = await db
            .selectFrom('marquee_owned_facts')
            .select('learned_at')
            .where('owner', '=', owner)
            .orderBy('learned_at', 'desc')
            .offset(ownFactsMax)
            .limit(1)
            .executeTakeFirst();
          if (beyond === undefined) continue;
          await db
            .deleteFrom('marquee_owned_facts')
            .where('owner', '=', owner)
            .where('learned_at', '<=', beyond.learned_at)
            .execute();
        }
      }),
    drop: ({ upstream, model, field }, by) =>
      transact(async (db) => {
        const { numDeletedRows } = await db
          .deleteFrom('marquee_owned_facts')
          .where('upstream', '=', upstream)
          .where('model', '=', model)
          .where('field', '=', field)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        await appendToAuditLog(db, {
          at: now(),
          actor: by,
          target: `${upstream} ${model} ${field}`,
          action: 'upstream.fact_dropped',
        });
        return true;
      }),
  };
}
