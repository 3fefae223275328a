import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '#lib/storage/schema.ts';
import type { Delivery, DeliveryKind, DeliveryRow } from './delivery.ts';

export type Claim = Readonly<{
  /** Which outbox claims: its leases are its own. */
  owner: string;
  /** How many of each kind. */
  limits: readonly (readonly [kind: DeliveryKind, limit: number])[];
  now: number;
  leaseMs: number;
}>;

/** Whether something is due of a kind of which more may be claimed. */
export async function hasDue(db: Kysely<Schema>, { limits, now }: Claim): Promise<boolean> {
  const kinds = limits.filter(([, limit]) => limit > 0).map(([kind]) => kind);
  if (kinds.length === 0) return false;
  const deliveries = db.selectFrom('marquee_deliveries').select('id').where('kind', 'in', kinds);
  const due = deliveries.where('due_at', '<=', now).limit(1);
  return (await due.executeTakeFirst()) !== undefined;
}

/** Leases deliveries that are due, at most one for each target that has none under way. */
export async function claimDeliveries(db: Transaction<Schema>, claim: Claim): Promise<Delivery[]> {
  const { owner, limits, now, leaseMs } = claim;
  // The lock: outboxes claim one after the other, so that none takes the second delivery of a busy target.
  await db.updateTable('marquee_outbox').set({ claimed_at: now }).execute();
  const ids: string[] = [];
  for (const [kind, limit] of limits) {
    if (limit <= 0) continue;
    // Few webhooks have many deliveries each; many readers have one mail each.
    const select = kind === 'mail' ? selectByTime : selectByTarget;
    ids.push(...(await select(db, { kind, limit, now })));
  }
  if (ids.length === 0) return [];
  const claimed = await db
    .updateTable('marquee_deliveries')
    .set({ lease_owner: owner, lease_until: now + leaseMs })
    .where('id', 'in', ids)
    .returningAll()
    .execute();
  return claimed.map(toDelivery);
}

type Selection = Readonly<{ kind: DeliveryKind; limit: number; now: number }>;

/** The first deliveries that are due, however many wait behind them. */
async function selectByTime(
  db: Transaction<Schema>,
  { kind, limit, now }: Selection,
): Promise<string[]> {
  const { rows } = await sql<{ id: string; target: string }>`
    select due.id, due.target from marquee_deliveries as due
    where due.kind = ${kind} and due.due_at is not null and due.due_at <= ${now} and not exists (
      select 1 from marquee_deliveries as leased
      where leased.kind = ${kind} and leased.target = due.target
        and leased.lease_until is not null and leased.lease_until > ${now})
    order by due.due_at, due.position limit ${limit}
  `.execute(db);
  const firsts = rows.filter(
    ({ target }, index) => rows.findIndex((row) => row.target === target) === index,
  );
  return firsts.map(({ id }) => id);
}

/** The first delivery of each target that is due, however many wait for one of them. */
async function selectByTarget(
  db: Transaction<Schema>,
  { kind, limit, now }: Selection,
): Promise<string[]> {
  // Steps through the index from target to target.
  const { rows } = await sql<{ id: string }>`
    with recursive targets (target) as (
      select min(target) from marquee_deliveries where due_at is not null and kind = ${kind}
      union all
      select (select min(other.target) from marquee_deliveries as other
        where other.due_at is not null and other.kind = ${kind} and other.target > targets.target)
      from targets where targets.target is not null
    ), firsts (id) as (
      select (select due.id from marquee_deliveries as due
        where due.kind = ${kind} and due.target = targets.target
          and due.due_at is not null and due.due_at <= ${now}
        order by due.due_at, due.position, due.id limit 1)
      from targets where targets.target is not null and not exists (
        select 1 from marquee_deliveries as leased
        where leased.kind = ${kind} and leased.target = targets.target
          and leased.lease_until is not null and leased.lease_until > ${now})
    )
    select first.id from firsts join marquee_deliveries as first on first.id = firsts.id
    order by first.due_at, first.position limit ${limit}
  `.execute(db);
  return rows.map(({ id }) => id);
}

function toDelivery({ id, kind, target, payload, created_at, attempts }: DeliveryRow): Delivery {
  return {
    id,
    // The claim selects these kinds.
    kind: kind as DeliveryKind,
    target,
    payload,
    createdAt: created_at,
    attempt: attempts + 1,
  };
}
