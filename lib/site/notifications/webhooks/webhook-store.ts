import { randomBytes } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { AuditAction } from '#lib/storage/audit-actions.ts';
import { type Actor, appendToAuditLog } from '#lib/storage/audit-log.ts';
import type { RunQuery, RunTransaction, Schema } from '#lib/storage/schema.ts';
import { readStored, storedList } from '#lib/storage/stored-json.ts';
import { type DisableReason, type Failure, noteFailure } from './webhook-failures.ts';
import type { SecretSeed } from './webhook-secrets.ts';

export type Webhook = Readonly<{
  id: string;
  name: string;
  url: string;
  /** Types, and prefixes with `*`. */
  types: readonly string[];
  /** A query of the events list, without its `?`. */
  filter: string;
  seed: SecretSeed;
  /** Signs, too, until then (Unix ms). */
  previous: Readonly<{ seed: SecretSeed; until: number }> | null;
  createdAt: number;
  /** `disabled`: by this site, since nothing could be delivered. */
  state: 'active' | 'paused' | 'disabled';
  /** The first failed attempt since the last that succeeded, Unix ms. */
  failingSince: number | null;
}>;

export type NewWebhook = Pick<Webhook, 'name' | 'url' | 'types' | 'filter' | 'seed'>;

/** Every change by people is written to the audit log, by default as one of the operator. */
export type WebhookStore = Readonly<{
  /** Oldest first. */
  list: () => Promise<Webhook[]>;
  find: (id: string) => Promise<Webhook | null>;
  create: (webhook: NewWebhook, by?: Actor) => Promise<Webhook>;
  /** These return false if there is no such webhook. */
  pause: (id: string, by?: Actor) => Promise<boolean>;
  resume: (id: string, by?: Actor) => Promise<boolean>;
  remove: (id: string, by?: Actor) => Promise<boolean>;
  /** The secret before signs, too, until a time. */
  rotate: (id: string, seed: SecretSeed, until: number, by?: Actor) => Promise<boolean>;
  /** Ends a series of failures. */
  noteSuccess: (id: string) => Promise<void>;
  /**
   * Notes a failed attempt at a time, and disables the webhook once a series has lasted too long, or at once where
   * the target is gone. `then` runs in the same transaction if it was disabled.
   */
  noteFailure: (id: string, failure: Failure, then: OnDisabled) => Promise<void>;
}>;

export type OnDisabled = (
  db: Transaction<Schema>,
  webhook: Webhook,
  reason: DisableReason,
) => Promise<void>;

export function createWebhookStore(
  run: RunQuery,
  transact: RunTransaction,
  now: () => number,
): WebhookStore {
  return {
    list: () => run((db) => listWebhooks(db)),
    find: (id) => run((db) => findWebhook(db, id)),
    create: (webhook, by = null) => transact((db) => insertWebhook(db, webhook, { by, at: now() })),
    pause: (id, by = null) => transact((db) => setState(db, id, 'paused', { by, at: now() })),
    resume: (id, by = null) => transact((db) => setState(db, id, 'active', { by, at: now() })),
    remove: (id, by = null) => transact((db) => removeWebhook(db, id, { by, at: now() })),
    rotate: (id, seed, until, by = null) =>
      transact((db) => rotateSecret(db, id, { seed, until }, { by, at: now() })),
    noteSuccess: (id) =>
      run(async (db) => {
        const webhook = db.updateTable('marquee_webhooks').where('id', '=', id);
        await webhook
          .set({ failing_since: null, failed_at: null })
          .where('failed_at', 'is not', null)
          .execute();
      }),
    noteFailure: (id, failure, then) =>
      transact(async (db) => {
        const reason = await noteFailure(db, id, failure);
        const webhook = reason === null ? null : await findWebhook(db, id);
        if (reason === null || webhook === null) return;
        const disabling = { action: 'webhook.disabled', by: null, at: now() } as const;
        await note(db, id, disabling, { reason });
        await then(db, webhook, reason);
      }),
  };
}

/** By whom and when a webhook is changed. */
type Change = Readonly<{ by: Actor; at: number }>;

async function note(
  db: Transaction<Schema>,
  id: string,
  { action, by, at }: Change & Readonly<{ action: AuditAction }>,
  newValues: Readonly<Record<string, string>> | null = null,
): Promise<void> {
  await appendToAuditLog(db, { at, actor: by, target: id, action, newValues });
}

async function insertWebhook(
  db: Transaction<Schema>,
  { name, url, types, filter, seed }: NewWebhook,
  change: Change,
): Promise<Webhook> {
  const id = `wh_${randomBytes(12).toString('base64url')}`;
  const row = await db
    .insertInto('marquee_webhooks')
    .values({
      id,
      name,
      url,
      types: JSON.stringify(types),
      filter,
      secret_salt: seed.salt,
      pepper_id: seed.pepperId,
      created_at: change.at,
      state: 'active',
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await note(db, id, { action: 'webhook.created', ...change }, { name, url });
  return toWebhook(row);
}

async function setState(
  db: Transaction<Schema>,
  id: string,
  state: 'active' | 'paused',
  change: Change,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('marquee_webhooks')
    .set({ state, failing_since: null, failed_at: null })
    .where('id', '=', id)
    .where('state', '!=', state)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return (await findWebhook(db, id)) !== null;
  const action = state === 'active' ? 'webhook.resumed' : 'webhook.paused';
  await note(db, id, { action, ...change });
  return true;
}

async function removeWebhook(
  db: Transaction<Schema>,
  id: string,
  change: Change,
): Promise<boolean> {
  const row = await db
    .deleteFrom('marquee_webhooks')
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  if (row === undefined) return false;
  await db.deleteFrom('marquee_deliveries').where('target', '=', id).execute();
  await note(db, id, { action: 'webhook.removed', ...change }, { name: row.name });
  return true;
}

async function rotateSecret(
  db: Transaction<Schema>,
  id: string,
  { seed, until }: Readonly<{ seed: SecretSeed; until: number }>,
  change: Change,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('marquee_webhooks')
    .set((row) => ({
      previous_salt: row.ref('secret_salt'),
      previous_pepper_id: row.ref('pepper_id'),
      previous_until: until,
      secret_salt: seed.salt,
      pepper_id: seed.pepperId,
    }))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await note(db, id, { action: 'webhook.rotated', ...change });
  return true;
}

/** Oldest first. */
export async function listWebhooks(db: Kysely<Schema>): Promise<Webhook[]> {
  const webhooks = db.selectFrom('marquee_webhooks').selectAll();
  const rows = await webhooks.orderBy('created_at').orderBy('id').execute();
  return rows.map(toWebhook);
}

async function findWebhook(db: Kysely<Schema>, id: string): Promise<Webhook | null> {
  const webhooks = db.selectFrom('marquee_webhooks').selectAll().where('id', '=', id);
  const row = await webhooks.executeTakeFirst();
  return row === undefined ? null : toWebhook(row);
}

function toWebhook(row: Selectable<Schema['marquee_webhooks']>): Webhook {
  const { previous_salt: salt, previous_pepper_id: pepperId, previous_until: until } = row;
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    types: readStored(storedList, row.types, []),
    filter: row.filter,
    seed: { salt: row.secret_salt, pepperId: row.pepper_id },
    previous:
      salt === null || pepperId === null || until === null
        ? null
        : { seed: { salt, pepperId }, until },
    createdAt: row.created_at,
    state: row.state,
    failingSince: row.failing_since,
  };
}
