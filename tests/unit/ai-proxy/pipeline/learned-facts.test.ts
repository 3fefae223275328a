import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLearnedFacts, type LearnedFacts } from '#lib/ai-proxy/pipeline/learned-facts.ts';
import type { TargetQuirks } from '#lib/ai-proxy/quirks/quirk.ts';
import {
  type RejectedBound,
  UpstreamFailure,
} from '#lib/ai-proxy/upstreams/errors/upstream-failure.ts';
import type { LearnedFact } from '#lib/ai-proxy/upstreams/fact-store.ts';
import type { Target } from '#lib/ai-proxy/upstreams/select-targets.ts';
import type { Database } from '#lib/database.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { describeEachDatabase, openTestDatabase } from '../../../support/servers/each-database.ts';
import { createTestLog } from '../../../support/test-log.ts';

const toTarget = (fields: Partial<Target> = {}) => ({
  name: 'north',
  model: 'm',
  accepts: null,
  fixedQuirks: new Map(),
  ...fields,
});
const rejecting = (...names: string[]) =>
  new UpstreamFailure(400, {
    message: 'x',
    rejectedFields: names.map((name) => ({ name, values: [] })),
  });
const rejectingEffort = (...values: string[]) =>
  new UpstreamFailure(400, {
    message: 'x',
    rejectedFields: [{ name: 'reasoning_effort', values }],
  });
const rejectingBound = (rejectedBound: RejectedBound) =>
  new UpstreamFailure(400, { message: 'x', rejectedBound });

const toTried = (quirks: TargetQuirks) =>
  ({
    owner: 'ada',
    isPlain: true,
    quirks,
    sent: { dialect: 'translated' },
    headers: new Headers(),
  }) as const;

async function quirksFor(
  facts: LearnedFacts,
  target: ReturnType<typeof toTarget>,
  owner = 'ada',
): Promise<TargetQuirks> {
  return (await facts.find(owner))(target).quirks();
}

describeEachDatabase((createTestDatabase) => {
  let timeMs = 1_760_000_000_000;
  const now = () => timeMs;

  async function open(options?: DatabaseOptions): Promise<Database> {
    return openTestDatabase({ ...(options ?? (await createTestDatabase())), now });
  }

  async function createFacts(database?: Database): Promise<LearnedFacts> {
    const { upstreamFacts: store } = database ?? (await open());
    return createLearnedFacts({ store, now, log: createTestLog() });
  }

  test('a rejected field is left out for that upstream and model, for an hour', async () => {
    const facts = await createFacts();
    const target = toTarget();
    const before = await quirksFor(facts, target);

    expect(facts.learn(target, toTried(before), rejecting('user'))).toEqual(
      new Map([...before, ['user', []]]),
    );

    timeMs += 3_599_000;
    const keysFor = async (other: typeof target) => [...(await quirksFor(facts, other)).keys()];
    expect(await keysFor(target)).toContain('user');
    expect(await keysFor(toTarget({ model: 'other' }))).not.toContain('user');
    expect(await keysFor(toTarget({ name: 'south' }))).not.toContain('user');
    timeMs += 2000;
    expect(await quirksFor(facts, target)).toEqual(before);
  });

  test('a process knows what another one has learned before it started, until the same hour is over', async () => {
    const options = await createTestDatabase();
    const target = toTarget();
    const database = await open(options);
    const first = await createFacts(database);
    first.learn(target, toTried(await quirksFor(first, target)), rejectingEffort('low', 'high'));
    await expect.poll(() => database.upstreamFacts.list()).toHaveLength(1);

    timeMs += 3_000_000;
    const restarted = await createFacts(await open(options));
    expect((await quirksFor(restarted, target)).get('reasoning_effort')).toEqual(['low', 'high']);
    timeMs += 601_000;
    expect((await quirksFor(restarted, target)).has('reasoning_effort')).toBe(false);
    expect(await database.upstreamFacts.list()).toEqual([]);
  });

  test('a process learns within seconds what another one that runs has learned', async () => {
    const options = await createTestDatabase();
    const target = toTarget();
    const [first, second] = [await open(options), await open(options)];
    const [learning, other] = [await createFacts(first), await createFacts(second)];
    expect((await quirksFor(other, target)).has('seed')).toBe(false);
    learning.learn(target, toTried(await quirksFor(learning, target)), rejecting('seed'));
    await expect.poll(() => second.upstreamFacts.list()).toHaveLength(1);

    timeMs += 11_000;
    await expect.poll(async () => (await quirksFor(other, target)).get('seed')).toEqual([]);
  });

  test('what was learned replaces what was stored of the same field', async () => {
    const database = await open();
    const facts = await createFacts(database);
    const target = toTarget();
    const limited = facts.learn(
      target,
      toTried(await quirksFor(facts, target)),
      rejectingEffort('low'),
    );
    facts.learn(target, toTried(limited ?? new Map()), rejectingEffort('low'));

    await expect
      .poll(() => database.upstreamFacts.list())
      .toEqual([
        {
          upstream: 'north',
          model: 'm',
          field: 'reasoning_effort',
          taken: [],
          owner: expect.any(String),
          isPlain: true,
          reason: 'it rejected a request (without a status)',
          learnedAt: timeMs,
        },
      ]);
  });

  test('without a database, a process goes on with what it has learned itself', async () => {
    const database = await open();
    const facts = await createFacts(database);
    await database.close();
    const target = toTarget();
    const before = await quirksFor(facts, target);
    expect(facts.learn(target, toTried(before), rejecting('user'))?.get('user')).toEqual([]);
    expect((await quirksFor(facts, target)).get('user')).toEqual([]);
  });
});

async function createFacts(): Promise<LearnedFacts> {
  const { upstreamFacts: store } = await openTestDatabase();
  return createLearnedFacts({ store, now: Date.now, log: createTestLog() });
}

test('what is learned is stored in its order, also while the database is slow or fails', async () => {
  const started: (readonly string[] | undefined)[] = [];
  const { promise, reject } = Promise.withResolvers<void>();
  const store = {
    list: async () => [],
    drop: async () => false,
    save([fact]: readonly LearnedFact[]) {
      started.push(fact?.taken);
      return started.length === 1 ? promise : Promise.resolve();
    },
  };
  const facts = createLearnedFacts({ store, now: Date.now, log: createTestLog() });
  const target = toTarget();
  const before = await quirksFor(facts, target);
  const limited = facts.learn(target, toTried(before), rejectingEffort('low'));
  facts.learn(target, toTried(limited ?? before), rejectingEffort('low'));
  await setImmediate();
  expect(started).toEqual([['low']]);
  reject(new Error('The database is away.'));
  await expect.poll(() => started).toEqual([['low'], []]);
});

test('what the operator has set is not learned otherwise', async () => {
  const facts = await createFacts();
  const fixedQuirks: TargetQuirks = new Map([
    ['reasoning_effort', ['high']],
    ['max_output_tokens', ['4096']],
  ]);
  const target = toTarget({ fixedQuirks });
  const before = await quirksFor(facts, target);

  expect(before.get('reasoning_effort')).toEqual(['high']);
  expect(facts.learn(target, toTried(before), rejectingEffort('low'))).toBeNull();
  facts.learn(target, toTried(before), rejectingBound({ outputTokensMax: 100, isOfModel: true }));
  const after = await quirksFor(facts, target);
  expect(after.get('max_output_tokens')).toEqual(['4096']);
});

test('the bound of a model is learned, but no number that depends on the request', async () => {
  const facts = await createFacts();
  const target = toTarget();
  const before = await quirksFor(facts, target);

  facts.learn(target, toTried(before), rejectingBound({ outputTokensMax: 731 }));
  expect((await quirksFor(facts, target)).has('max_output_tokens')).toBe(false);
  const ofModel = { outputTokensMax: 4096, isOfModel: true };
  expect(facts.learn(target, toTried(before), rejectingBound(ofModel))).toBeNull();
  expect((await quirksFor(facts, target)).get('max_output_tokens')).toEqual(['4096']);
});

test('nothing but an optional field is learned, and none twice by a request', async () => {
  const facts = await createFacts();
  const target = toTarget();
  const before = await quirksFor(facts, target);

  expect(facts.learn(target, toTried(before), rejecting('messages', 'tools'))).toBeNull();
  expect(facts.learn(target, toTried(before), rejecting())).toBeNull();
  const next = facts.learn(target, toTried(before), rejecting('user'));
  expect(facts.learn(target, toTried(next ?? before), rejecting('user'))).toBeNull();
});

test('a request that ran meanwhile is repeated too, with all that it was told', async () => {
  const facts = await createFacts();
  const target = toTarget();
  const before = await quirksFor(facts, target);
  facts.learn(target, toTried(before), rejecting('user'));

  const next = facts.learn(target, toTried(before), rejecting('user', 'verbosity'));
  expect(next?.get('verbosity')).toEqual([]);
  expect(await quirksFor(facts, target)).toEqual(
    new Map([...before, ['user', []], ['verbosity', []]]),
  );
});

test('what a client has sent itself is not left out', async () => {
  const facts = await createFacts();
  const target = toTarget();
  const quirks = await quirksFor(facts, target);

  const tried = {
    ...toTried(quirks),
    sent: { dialect: 'chat', added: ['stream_options'] },
  } as const;
  expect(facts.learn(target, tried, rejecting('reasoning_effort'))).toBeNull();
  expect(
    facts.learn(
      target,
      { ...toTried(quirks), sent: { dialect: 'chat' } },
      rejecting('stream_options'),
    ),
  ).toBeNull();
  expect(facts.learn(target, tried, rejecting('stream_options'))?.get('stream_options')).toEqual(
    [],
  );
});

test('of a field whose values are limited, these are learned; none, if one of them is rejected, too', async () => {
  const facts = await createFacts();
  const target = toTarget();
  const before = await quirksFor(facts, target);

  const limited = facts.learn(target, toTried(before), rejectingEffort('low', 'high'));
  expect(limited?.get('reasoning_effort')).toEqual(['low', 'high']);
  const leftOut = facts.learn(target, toTried(limited ?? before), rejectingEffort('low', 'high'));
  expect(leftOut?.get('reasoning_effort')).toEqual([]);
  expect(facts.learn(target, toTried(leftOut ?? before), rejectingEffort('low'))).toBeNull();
});
