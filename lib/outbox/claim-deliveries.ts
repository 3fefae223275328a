import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '#lib/storage/schema.ts';
import type { Delivery, DeliveryKind, DeliveryRow } from './delivery.ts';

export type Claim = Readonly<{
  /** Which outbox claims: its leases are its own. */
  owner: string;
  /** How many of each kind; targets after the last one, in the order of the index, have their turn first. */
  limits: readonly (readonly [kind: DeliveryKind, limit: number, lastTarget?: string])[];
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

/** How many deliveries whose time has come a claim makes ready. */
const readyMax = 1_000;

/** Leases deliveries that are due, at most one for each target that has none under way, and returns them in their order. */
export async function claimDeliveries(db: Transaction<Schema>, claim: Claim): Promise<Delivery[]> {
  const { owner, limits, now, leaseMs } = claim;
  // The lock: outboxes claim one after the other, so that none takes the second delivery of a busy target.
  await db.updateTable('marquee_outbox').set({ claimed_at: now }).execute();
  const ids: string[] = [];
  for (const [kind, limit, lastTarget = ''] of limits) {
    if (limit <= 0) continue;
    // Few webhooks have many deliveries each; many readers have one mail each.
    const select = kind === 'mail' ? selectByTime : selectByTarget;
    ids.push(...(await select(db, { kind, limit, now, lastTarget })));
  }
  if (ids.length === 0) return [];
  const claimed = await db
    .updateTable('marquee_deliveries')
    .set({ lease_owner: owner, lease_until: now + leaseMs })
    .where('id', 'in', ids)
    .returningAll()
    .execute();
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = ({ id }: DeliveryRow) => places.get(id) ?? 0;
  return claimed.toSorted((a, b) => placeOf(a) - placeOf(b)).map(toDelivery);
}

type Selection = Readonly<{ kind: DeliveryKind; limit: number; now: number; lastTarget: string }>;

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

/** The first delivery of each target that is due, by turns of targets: those after the last one come first. */
async function selectByTarget(
  db: Transaction<Schema>,
  { kind, limit, now, lastTarget }: Selection,
): Promise<string[]> {
  // Only what is ready is in the index, so that nothing that waits for its time is passed over.
  await db
    .updateTable('marquee_deliveries')
    .set({ due_at: 0 })
    .where('id', 'in', (rows) =>
      rows
        .selectFrom('marquee_deliveries')
        .select('id')
        .where('kind', '=', kind)
        .where('due_at', '>', 0)
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(readyMax),
    )
    .execute();
  const after = await selectTargets(db, { kind, limit, now, lastTarget });
  if (after.length === limit || lastTarget === '') return after;
  const first = { kind, limit: limit - after.length, now, lastTarget: '' };
  const before = await selectTargets(db, first, sql`and target <= ${lastTarget}`);
  return after.concat(before);
}

/** Steps through the index from target to target, past the few that are leased, and no further than it has to. */
async function selectTargets(
  db: Transaction<Schema>,
  { kind, limit, now, lastTarget }: Selection,
  range = sql``,
): Promise<string[]> {
  // With `min(target)` PostgreSQL reads all rows of a target where its statistics are old.
  const { rows } = await sql<{ id: string }>`
    with recursive leased (target) as (
      select target from marquee_deliveries
      where kind = ${kind} and lease_until is not null and lease_until > ${now}
    ), targets (target, step) as (
      select cast(${lastTarget} as text), 0
      union all
      select (select target from marquee_deliveries
        where kind = ${kind} and due_at = 0 and target > targets.target ${range}
        order by target limit 1), step + 1
      from targets
      where target is not null and step < ${limit} + (select count(*) from leased)
    )
    select (select id from marquee_deliveries as due
      where due.kind = ${kind} and due.target = targets.target and due.due_at = 0
      order by due.attempts, due.position limit 1) as id
    from targets
    where step > 0 and target is not null and target not in (select target from leased)
    order by step limit ${limit}
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
