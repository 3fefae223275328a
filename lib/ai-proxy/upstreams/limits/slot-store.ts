import type { RunTransaction } from '#lib/storage/schema.ts';

/** What an upstream limits: calls at once, or calls in a minute. */
export type SlotKind = 'running' | 'minute';

/** A slot of an upstream's limit. */
export type Slot = Readonly<{ upstream: string; kind: SlotKind; slot: number; owner: string }>;

type Claim = Readonly<{
  upstream: string;
  kind: SlotKind;
  /** How many slots there are. */
  limit: number;
  owner: string;
  /** Unix ms. */
  now: number;
  until: number;
}>;

/** The slots of limits that workers and instances share: a row each, taken until a moment. */
export type SlotStore = Readonly<{
  /** Takes a free slot; else returns when the next one is free at the latest, Unix ms. */
  take: (claim: Claim) => Promise<Slot | number>;
  renew: (slot: Slot, until: number) => Promise<void>;
  /** Frees a slot, unless another owner has it by now. */
  free: (slot: Slot) => Promise<void>;
}>;

export function createSlotStore(transact: RunTransaction): SlotStore {
  const setUntil = (slot: Slot, until: number) =>
    transact(async (db) => {
      await db
        .updateTable('marquee_upstream_slots')
        .set({ taken_until: until })
        .where('upstream', '=', slot.upstream)
        .where('kind', '=', slot.kind)
        .where('slot', '=', slot.slot)
        .where('owner', '=', slot.owner)
        .execute();
    });

  return {
    take: ({ upstream, kind, limit, owner, now, until }) =>
      transact(async (db) => {
        for (let slot = 0; slot < limit; slot++) {
          // Of transactions that take the same one, the second waits for the first and finds it taken.
          const taken = await db
            .insertInto('marquee_upstream_slots')
            .values({ upstream, kind, slot, owner, taken_until: until })
            .onConflict((conflict) =>
              conflict
                .columns(['upstream', 'kind', 'slot'])
                .doUpdateSet({ owner, taken_until: until })
                .where('marquee_upstream_slots.taken_until', '<=', now),
            )
            .returning('slot')
            .executeTakeFirst();
          if (taken !== undefined) return { upstream, kind, slot, owner };
        }
        const { next } = await db
          .selectFrom('marquee_upstream_slots')
          .select((row) => row.fn.min('taken_until').as('next'))
          .where('upstream', '=', upstream)
          .where('kind', '=', kind)
          .where('slot', '<', limit)
          .executeTakeFirstOrThrow();
        return next;
      }),
    renew: setUntil,
    free: (slot) => setUntil(slot, 0),
  };
}
