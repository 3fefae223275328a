import type { RunQuery, RunTransaction } from '#lib/storage/schema.ts';
import { readStored, storedList } from '#lib/storage/stored-json.ts';
import { isLimitedField, type LimitedField } from '../protocols/chat/optional-fields.ts';

/** What a model at an upstream has taught: see `FieldLimits`. */
export type LearnedFact = Readonly<{
  upstream: string;
  model: string;
  field: LimitedField;
  taken: readonly string[];
  /** Unix ms. */
  learnedAt: number;
}>;

/** What workers and instances have learned of upstreams, for all of them and over restarts. */
export type FactStore = Readonly<{
  /** Of the last hour, the newest first. */
  list: () => Promise<readonly LearnedFact[]>;
  /** Replaces what was known of the same field, and removes what is too old. */
  save: (facts: readonly LearnedFact[]) => Promise<void>;
}>;

/** How long a fact counts: servers change. */
export const factMs = 3_600_000;
const factsMax = 1000;

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
          .selectFrom('marquee_upstream_facts')
          .selectAll()
          .where('learned_at', '>', now() - factMs)
          .orderBy('learned_at', 'desc')
          .orderBy('upstream')
          .orderBy('model')
          .orderBy('field')
          .limit(factsMax)
          .execute();
        return rows.flatMap(({ upstream, model, field, taken, learned_at: learnedAt }) =>
          // An older version may not know the field.
          isLimitedField(field)
            ? [{ upstream, model, field, taken: readStored(storedList, taken, []), learnedAt }]
            : [],
        );
      }),
    save: (facts) =>
      transact(async (db) => {
        await db
          .deleteFrom('marquee_upstream_facts')
          .where('learned_at', '<=', now() - factMs)
          .execute();
        for (const { upstream, model, field, taken, learnedAt } of facts) {
          const values = { taken: JSON.stringify(taken), learned_at: learnedAt };
          await db
            .insertInto('marquee_upstream_facts')
            .values({ upstream, model, field, ...values })
            .onConflict((on) =>
              on
                .columns(['upstream', 'model', 'field'])
                .doUpdateSet(values)
                // Another process may have learned more since.
                .where('marquee_upstream_facts.learned_at', '<=', learnedAt),
            )
            .execute();
        }
      }),
  };
}
