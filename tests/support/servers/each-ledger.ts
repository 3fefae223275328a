import { randomUUID } from 'node:crypto';
import type { Database } from '#lib/database.ts';
import { isHttpError } from '#lib/http/errors/errors.ts';
import type { HeaderFields } from '#lib/http/response.ts';
import type { LimitUse } from '#lib/spend/budgets.ts';
import { type Demand, type Granted, toCost, toWholeDemand } from '#lib/spend/ledger/decide.ts';
import { createLedger, type Ledger } from '#lib/spend/ledger/ledger.ts';
import type { CountedRequest } from '#lib/spend/ledger/request-counts.ts';
import type { Amounts, UsageRecord } from '#lib/spend/ledger/usage-record.ts';
import {
  countRequest,
  requireGranted,
  toReservationHeaders,
  toTooManyRequests,
} from '#lib/spend/rate-limits.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import { makeUsageRecord } from '../factories/key-factory.ts';
import type { LimitedKey } from '../factories/limits-factory.ts';
import { createFakeClock } from '../fake-clock.ts';
import { createTestLog } from '../test-log.ts';
import { describeEachDatabase, openTestDatabase } from './each-database.ts';

/** What a request has reserved. */
export type TestReservation = Pick<Granted, 'promptTokens' | 'outputTokens' | 'outputTokensLeft'> &
  Readonly<{
    id: string;
    headers: HeaderFields;
    nanoUsd: number;
    extend: (outputTokens: number) => Promise<number>;
    /** Both resolve once it is stored; of several calls the first one counts. */
    settle: (used: Amounts) => Promise<void>;
    release: () => Promise<void>;
  }>;

/** A process with its ledger. */
type TestProcess = Readonly<{
  ledger: Ledger;
  /** The `x-ratelimit-*-requests` headers. @throws HttpError */
  countRequest: (key: LimitedKey) => Promise<HeaderFields>;
  /** @throws HttpError */
  reserve: (key: LimitedKey, demand: Demand, request?: CountedRequest) => Promise<TestReservation>;
  /** Null where a budget has no room. */
  tryReserve: (
    key: LimitedKey,
    demand: Demand,
    request?: CountedRequest,
  ) => Promise<TestReservation | null>;
  read: (key: LimitedKey) => Promise<readonly LimitUse[]>;
}>;

/** Two processes of one database, under a fake clock. */
export type LedgerSetup = Readonly<{
  clock: ReturnType<typeof createFakeClock>;
  log: ReturnType<typeof createTestLog>;
  database: Database;
  limits: TestProcess;
  other: TestProcess;
}>;

/** Runs the same tests on SQLite and PostgreSQL. */
export function describeEachLedger(tests: (open: () => Promise<LedgerSetup>) => void): void {
  describeEachDatabase((createTestDatabase) => {
    tests(async () => {
      const clock = createFakeClock();
      const log = createTestLog();
      const options = { ...(await createTestDatabase()), now: clock.now };
      const [database, second] = [await openTestDatabase(options), await openTestDatabase(options)];
      const limits = createProcess(database, { now: clock.now, log });
      const other = createProcess(second, { now: clock.now, log });
      return { clock, log, database, limits, other };
    });
  });
}

type ProcessOptions = Readonly<{ now: () => number; log: ReturnType<typeof createTestLog> }>;

function createProcess(database: Database, { now, log }: ProcessOptions): TestProcess {
  const ledger = createLedger({ transactions: database.ledger, log, now });
  const unlimited = ledger.begin({ id: 'key_unlimited', requestsPerMinute: 1e9 });
  return {
    ledger,
    countRequest: (key) => countRequest(ledger, key),
    async reserve({ payer, limits }, given, request = unlimited) {
      const [id, at, demand] = [randomUUID(), now(), toWholeDemand(given)];
      const toRecord = (used: Partial<UsageRecord>) =>
        makeUsageRecord({ ...payer, id, at, tokensIn: 0, tokensOut: 0, costUsd: 0, ...used });
      const reserved = await ledger.reserve(id, {
        limits,
        at,
        demand,
        toRecord: () => toRecord({}),
        request,
      });
      if (reserved === null) throw toTooManyRequests(request);
      const { decision: granted, uses } = requireGranted(reserved, now());
      const { promptTokens, outputTokens } = granted;
      const nanoUsd = toCost(demand.price, promptTokens, outputTokens);
      const after = uses.map((use) => ({
        ...use,
        reservedTokens: use.reservedTokens + promptTokens + outputTokens,
        reservedNanoUsd: use.reservedNanoUsd + nanoUsd,
      }));
      let isEnded = false;
      const end = async (store: () => void) => {
        if (!isEnded) store();
        isEnded = true;
        await ledger.flush();
      };
      return {
        ...granted,
        id,
        nanoUsd,
        headers: toReservationHeaders(after, now()),
        extend: (more) =>
          ledger.extend({
            id,
            limits,
            at,
            demand: {
              promptTokens: 0,
              promptTokensExpected: 0,
              outputTokensMin: 0,
              outputTokensMax: more,
              price: { ...demand.price, fixed: 0, perPromptToken: 0 },
            },
          }),
        settle: (used) =>
          end(() => ledger.end(toRecord({ tokensOut: used.tokens, costUsd: used.nanoUsd / 1e9 }))),
        release: () => end(() => ledger.cancel(id)),
      };
    },
    tryReserve(key, demand, request) {
      return this.reserve(key, demand, request).catch((error) => {
        if (isHttpError(error) && [402, 429].includes(error.status)) return null;
        throw error;
      });
    },
    read: ({ limits }) => database.balances.readUses(limits, toUtcDay(now())),
  };
}
