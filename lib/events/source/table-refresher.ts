import { createHash, timingSafeEqual } from 'node:crypto';
import { createApiError } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import { createTextResponse } from '#lib/http/response.ts';
import { createRepeatedTask } from '#lib/http/single-flight.ts';
import type { RunQuery } from '#lib/storage/schema.ts';
import type { ChangeStore } from '../changes/change-store.ts';
import { ageMaxMs, type EventsLoader, refreshAheadAt } from './loader.ts';

/** Reads the table when its hook was called, and on time while somebody waits for changes without visiting. */
type TableRefresher = Readonly<{
  /** Notes a call of the hook: the table is read as soon as it may be. */
  markCalled: () => Promise<void>;
  /** Looks once whether something has to be read. It runs by itself, too. */
  run: () => Promise<void>;
  close: () => void;
}>;

type RefresherOptions = Readonly<{
  store: RefreshStore;
  events: Pick<EventsLoader, 'refresh' | 'peek'>;
  changes: Pick<ChangeStore, 'findHead'>;
  readClock: () => Promise<number>;
  cacheSeconds: number;
  /** Whether the hook may be called. */
  hasHook: boolean;
  /** Whether somebody is told of changes: streams, webhooks, WebSub, mail. */
  hasSubscribers: () => Promise<boolean>;
  log: Log;
}>;

/** How often it looks. */
const everyMs = 500;
/** At least so long between two reads that the hook causes. */
const hookPauseMs = 5_000;
const renewEveryMs = 2_000;
/** How long it takes to notice new subscribers. */
const subscribersKnownMs = 10_000;
/** Between the clocks of instances. */
const clockSkewMs = 2_000;

export function createTableRefresher(options: RefresherOptions): TableRefresher {
  const { store, events, changes, readClock, hasHook, log } = options;
  const readEveryMs = options.cacheSeconds * 1000 * refreshAheadAt;
  let subscribers = { has: false, knownUntil: Number.NEGATIVE_INFINITY };
  const run = createRepeatedTask(look, (error) =>
    // A failed read has been logged by the loader.
    log.warn({ reason: toReason(error) }, 'the table could not be refreshed'),
  );
  const timer = setInterval(() => void run(), everyMs).unref();

  async function hasSubscribers(): Promise<boolean> {
    if (performance.now() >= subscribers.knownUntil) {
      const has = await options.hasSubscribers();
      subscribers = { has, knownUntil: performance.now() + subscribersKnownMs };
    }
    return subscribers.has;
  }

  async function look(): Promise<void> {
    const isWatched = await hasSubscribers();
    if (!isWatched && !hasHook) return;
    const [state, head] = [await store.find(), await changes.findHead()];
    const now = await readClock();
    const isCalled = state.calledAtMs > state.servedAtMs;
    const isDue = isWatched && now - head.readAtMs >= readEveryMs;
    if ((isCalled || isDue) && now - state.claimedAtMs >= hookPauseMs) {
      if (await store.claim(state, now)) await readInTurn(state.calledAtMs, now);
    } else {
      await follow(head, now);
    }
  }

  async function readInTurn(calledAtMs: number, claimedAtMs: number): Promise<void> {
    let claimed = claimedAtMs;
    // Another instance must not take a long read for a lost one.
    const renewal = setInterval(async () => {
      const at = await readClock().catch(() => claimed);
      if (await store.claim({ claimedAtMs: claimed }, at).catch(() => false)) claimed = at;
    }, renewEveryMs).unref();
    try {
      await events.refresh(0);
      await store.markServed(calledAtMs);
    } finally {
      clearInterval(renewal);
    }
  }

  /** Another instance has found changes: this one shows them, too. */
  async function follow(head: Readonly<{ position: number; readAtMs: number }>, now: number) {
    const snapshot = events.peek();
    if (snapshot === null || snapshot.history.position >= head.position) return;
    const readAgeMs = Math.max(0, now - head.readAtMs);
    await events.refresh(Math.min(readAgeMs + clockSkewMs, ageMaxMs));
  }

  return {
    async markCalled() {
      await store.markCalled(await readClock());
      void run();
    },
    run,
    close: () => clearInterval(timer),
  };
}

function toReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('reason' in error) return String(error.reason);
  return 'code' in error ? String(error.code) : 'unknown';
}

/** What instances agree on about reading the table out of turn. Times are Unix ms by the database's clock; 0: never. */
type RefreshState = Readonly<{
  /** When the table's hook was called last. */
  calledAtMs: number;
  /** The call that the last finished read came after. */
  servedAtMs: number;
  /** When an instance began to read, or last said that it still reads. */
  claimedAtMs: number;
}>;

export type RefreshStore = Readonly<{
  find: () => Promise<RefreshState>;
  /** Notes a call of the hook. */
  markCalled: (atMs: number) => Promise<void>;
  /** Takes or renews the turn to read; false if another instance was faster. */
  claim: (state: Pick<RefreshState, 'claimedAtMs'>, atMs: number) => Promise<boolean>;
  markServed: (calledAtMs: number) => Promise<void>;
}>;

export function createRefreshStore(run: RunQuery): RefreshStore {
  return {
    find: () =>
      run(async (db) => {
        const row = await db
          .selectFrom('marquee_table_refresh')
          .selectAll()
          .executeTakeFirstOrThrow();
        return {
          calledAtMs: row.called_at,
          servedAtMs: row.served_at,
          claimedAtMs: row.claimed_at,
        };
      }),
    markCalled: (atMs) =>
      run(async (db) => {
        await db.updateTable('marquee_table_refresh').set({ called_at: atMs }).execute();
      }),
    claim: ({ claimedAtMs }, atMs) =>
      run(async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('marquee_table_refresh')
          .set({ claimed_at: atMs })
          .where('claimed_at', '=', claimedAtMs)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0;
      }),
    markServed: (calledAtMs) =>
      run(async (db) => {
        await db
          .updateTable('marquee_table_refresh')
          .set({ served_at: calledAtMs })
          .where('served_at', '<', calledAtMs)
          .execute();
      }),
  };
}

type HookOptions = Readonly<{
  /** Null: there is no hook. */
  secret: string | null;
  refresher: Pick<TableRefresher, 'markCalled'>;
}>;

/** Responds to the table's own call, `POST /hooks/table-changed`. */
export type RespondToTableHook = (request: Request) => Promise<Response>;

/** @throws HttpError 404 without a secret in the settings, 401 with another one in the request. */
export function createTableHook({ secret, refresher }: HookOptions): RespondToTableHook {
  const expected = secret === null ? null : digest(secret);
  return async (request) => {
    if (expected === null) {
      throw createApiError('not_found', {
        message: 'This site does not accept calls from its table.',
        hint: 'Its operator can set TABLE_HOOK_SECRET to allow them.',
      });
    }
    const [, token = ''] =
      /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    if (!timingSafeEqual(digest(token), expected)) {
      throw createApiError('unauthorized', {
        message: 'The secret is missing or wrong.',
        hint: 'Send `Authorization: Bearer` and the value of TABLE_HOOK_SECRET.',
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    }
    await refresher.markCalled();
    return createTextResponse(202, 'The table will be read.');
  };
}

// Of equal length, whatever was sent.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
