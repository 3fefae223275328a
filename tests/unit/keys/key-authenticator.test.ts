import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noBudget, parseBudget } from '#lib/config/budget.ts';
import { makeKeyText } from '#lib/keys/key-text.ts';
import { anyText } from '../../support/factories/any-text.ts';
import { makeKeyInput, openKeyServices } from '../../support/factories/key-services.ts';
import { makeKeyOwner, makeMember } from '../../support/factories/member-factory.ts';
import { describeEachDatabase } from '../../support/servers/each-database.ts';
import { rejectedWith } from '../../support/upstreams/proxy-errors.ts';

/** On SQLite, with the key `laptop`. */
async function openWithLaptop() {
  const services = await openKeyServices();
  const { text } = await services.register.create(makeKeyInput());
  const authenticate = () => services.use(text);
  const refuseMadeUp = () => rejectedWith(() => services.use(makeKeyText()));
  return { ...services, text, authenticate, refuseMadeUp };
}

const ofDay = { period: 'day', tokens: null, nanoUsd: null };

describeEachDatabase((createTestDatabase) => {
  test('a valid key gives its id and name, with its own limits or the defaults', async () => {
    await using services = await openKeyServices(await createTestDatabase());
    const plain = await services.register.create(makeKeyInput());
    const settings = { name: 'ci', models: ['demo/*'], requestsPerMinute: 5, tokensPerDay: 700 };
    const own = await services.register.create(makeKeyInput(settings));
    const use = async (authorization: string) =>
      (await services.authenticator.authenticate(authorization)).key;
    expect(await use(`Bearer ${plain.text}`)).toEqual({
      id: plain.record.id,
      name: 'laptop',
      models: null,
      expiresAt: null,
      requestsPerMinute: 60,
      owner: plain.record.id,
      payer: { keyId: plain.record.id, memberId: null, groupName: null },
      limits: [{ ...ofDay, account: `key:${plain.record.id}`, owner: 'key', tokens: 1_000_000 }],
    });
    expect(await use(`bearer   ${own.text} `)).toMatchObject({
      name: 'ci',
      models: ['demo/*'],
      requestsPerMinute: 5,
      limits: [{ tokens: 700 }],
    });
  });

  test('a member’s key has the member’s budget instead of the default, and those of group and site', async () => {
    await using services = await openKeyServices(await createTestDatabase());
    const { database, register, clock } = services;
    const { id } = await database.members.save(makeMember());
    const { text, record } = await register.create(makeKeyInput(), makeKeyOwner({ id }));
    const use = async () => (await services.use(text)).key.limits;
    expect((await services.use(text)).key.owner).toBe(id);
    expect(await use()).toMatchObject([{ account: `member:${id}`, tokens: 1_000_000 }]);
    await database.groups.create('staff', parseBudget('50 USD/month'));
    await database.members.setGroup(id, 'staff');
    await database.members.setBudget(id, parseBudget('700 tokens/day'));
    await register.update(record.id, { budget: parseBudget('1 USD/day') });
    clock.move(5_000);
    expect(await use()).toEqual([
      { ...ofDay, account: `key:${record.id}`, owner: 'key', nanoUsd: 1e9 },
      { ...ofDay, account: `member:${id}`, owner: 'member', tokens: 700 },
      { ...ofDay, account: 'group:staff', owner: 'group', period: 'month', nanoUsd: 50e9 },
    ]);
    await database.members.setBudget(id, noBudget);
    clock.move(5_000);
    expect((await use()).map(({ owner }) => owner)).toEqual(['key', 'group']);
  });

  test('a revoked key is rejected within 5 s by another process, idle or busy', async () => {
    const place = await createTestDatabase();
    await using busy = await openKeyServices(place);
    await using idle = await openKeyServices(place, busy.clock);
    const { text } = await busy.register.create(makeKeyInput());
    for (const { use } of [busy, idle]) await use(text);
    await using otherProcess = await openKeyServices(place, busy.clock);
    await otherProcess.register.revoke('laptop');
    for (let step = 0; step < 9; step += 1) {
      busy.clock.move(500);
      await busy.use(text).catch(() => {});
    }
    busy.clock.move(500);
    for (const { use } of [busy, idle]) {
      expect((await rejectedWith(() => use(text))).status).toBe(401);
    }
  });

  test('after a rotation the old secret is rejected within 5 s, and the new one works at once', async () => {
    const place = await createTestDatabase();
    await using services = await openKeyServices(place);
    await using otherProcess = await openKeyServices(place, services.clock);
    const before = await otherProcess.register.create(makeKeyInput());
    await services.use(before.text);
    const after = await otherProcess.register.rotate('laptop');
    expect(await services.use(after.text)).toMatchObject({ key: { id: before.record.id } });
    services.clock.move(5_000);
    await rejectedWith(() => services.use(before.text));
  });

  test('a key that another process has just created works at once', async () => {
    const place = await createTestDatabase();
    await using services = await openKeyServices(place);
    await using otherProcess = await openKeyServices(place, services.clock);
    const names = Array.from({ length: 5 }, (_, index) => `key number ${index}`);
    for (const name of names) {
      const { text } = await otherProcess.register.create(makeKeyInput({ name }));
      expect(await services.use(text)).toMatchObject({ key: { name } });
    }
  });
});

test('a key works until it expires, and an expired key gets its own message', async () => {
  await using services = await openKeyServices();
  const expiresAt = services.clock.now() + 10_000;
  const { text } = await services.register.create(makeKeyInput({ expiresAt }));
  services.clock.move(9_999);
  expect(await services.use(text)).toMatchObject({ key: { expiresAt } });
  services.clock.move(1);
  const error = await rejectedWith(() => services.use(text));
  expect(error).toMatchObject({ status: 401, code: 'invalid_api_key', reason: 'key_expired' });
  expect(error.message).toContain('expired at 2026-03-10T12:00:10.000Z');
});

test('every rejection is the same 401, and unknown and revoked keys have the same message', async () => {
  await using services = await openWithLaptop();
  const { text } = services;
  await services.register.revoke('laptop');
  const headers = [null, '', 'Basic dTpw', 'Bearer', `Bearer ${text.slice(0, -1)}`, text]
    .concat('Bearer sk-another-service', `Bearer ${makeKeyText()}`, `Bearer ${text}`)
    .concat(`Bearer ${text} ${text}`, `Bearer ${'x'.repeat(100_000)}`);
  const errors = await Promise.all(
    headers.map((header) => rejectedWith(() => services.authenticator.authenticate(header))),
  );
  for (const error of errors) {
    expect(error).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
    expect(error.message).not.toContain(text.slice(8, 20));
  }
  expect(errors[7]?.message).toBe(errors[8]?.message);
});

test('any invalid Authorization header gives a 401 that does not repeat it', async () => {
  await using services = await openKeyServices();
  const prefix = fc.constantFrom('', 'Bearer ', 'bearer\t', 'Bearer mq_', 'BEARER  ');
  await fc.assert(
    fc.asyncProperty(prefix, anyText(), async (before, text) => {
      const { status, message } = await rejectedWith(() =>
        services.authenticator.authenticate(before + text),
      );
      expect(status).toBe(401);
      if (text.length > 12) expect(message).not.toContain(text);
    }),
  );
});

test('a thousand made-up keys at once cost one database query', async () => {
  await using services = await openWithLaptop();
  const { authenticate, refuseMadeUp } = services;
  await authenticate();
  services.reads.count = 0;
  const madeUp = Array.from({ length: 1_000 }, refuseMadeUp);
  const garbage = Array.from({ length: 1_000 }, (_, index) =>
    rejectedWith(() => services.use(`mq_${index}`)),
  );
  await Promise.all([...madeUp, ...garbage]);
  expect(services.reads.count).toBe(1);
});

test('the same unknown key costs one database query in two seconds', async () => {
  await using services = await openKeyServices();
  const text = makeKeyText();
  const refuse = () => rejectedWith(() => services.use(text));
  for (let turn = 0; turn < 5; turn += 1) await refuse();
  expect(services.reads.count).toBe(1);
  services.clock.move(2_001);
  await refuse();
  expect(services.reads.count).toBe(2);
});

test('more made-up keys than are remembered do not displace a known one', async () => {
  await using services = await openWithLaptop();
  const { authenticate, refuseMadeUp } = services;
  await authenticate();
  await Promise.all(Array.from({ length: 10_001 }, refuseMadeUp));
  services.reads.count = 0;
  await authenticate();
  expect(services.reads.count).toBe(0);
});

test('a key that is looked up amid made-up keys is found', async () => {
  await using services = await openWithLaptop();
  const { authenticate, refuseMadeUp } = services;
  const found = authenticate();
  const madeUp = Array.from({ length: 5_000 }, refuseMadeUp);
  expect(await found).toMatchObject({ key: { name: 'laptop' } });
  await Promise.all(madeUp);
});

test('a known key costs one database query in two seconds, however busy it is', async () => {
  await using services = await openWithLaptop();
  const { authenticate } = services;
  await Promise.all(Array.from({ length: 200 }, authenticate));
  expect(services.reads.count).toBe(1);
  services.clock.move(1_999);
  await authenticate();
  expect(services.reads.count).toBe(1);
  services.clock.move(2);
  await Promise.all(Array.from({ length: 200 }, authenticate));
  expect(services.reads.count).toBe(2);
});

test('when keys cannot be read, new requests get a 503, and streams go on for a minute; one line is logged', async () => {
  await using services = await openWithLaptop();
  const { authenticate, text } = services;
  const { recheck } = await authenticate();
  services.reads.fail = true;
  services.clock.move(1_999);
  expect(await authenticate()).toMatchObject({ key: { name: 'laptop' } });
  for (const ms of [2_000, 1, 20_000, 35_999]) {
    services.clock.move(ms);
    expect(await recheck()).toBeNull();
    expect((await rejectedWith(authenticate)).status).toBe(503);
  }
  services.clock.move(1);
  expect(await recheck()).toMatchObject({ status: 503 });
  for (let tries = 0; tries < 3; tries += 1) {
    const error = await rejectedWith(authenticate);
    expect(error).toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
    expect(error.message).not.toContain('canary');
  }
  services.reads.fail = false;
  services.clock.move(1_000);
  expect(await authenticate()).toMatchObject({ key: { name: 'laptop' } });
  expect(services.log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  expect(services.log.text()).not.toContain(text.slice(8));
});

test('a database that hangs holds up a request once, and none after it', async () => {
  await using services = await openWithLaptop();
  const { authenticate } = services;
  const { recheck } = await authenticate();
  const { promise, resolve: release } = Promise.withResolvers<void>();
  services.reads.gate = promise;
  services.clock.move(10_000);
  expect(await recheck()).toBeNull();
  expect((await rejectedWith(authenticate)).status).toBe(503);
  expect((await services.refuseMadeUp()).status).toBe(503);
  // The first of them waited for the database, and the others did not ask it.
  expect(services.reads.count).toBe(2);
  release();
});

// ASVS 16.5.3
test('while keys cannot be read, an unknown key gets a 503, not a 401', async () => {
  await using services = await openWithLaptop();
  const { authenticate } = services;
  await authenticate();
  services.reads.fail = true;
  expect((await services.refuseMadeUp()).status).toBe(503);
});

test('a key that is not in memory is found as soon as the database is back', async () => {
  await using services = await openWithLaptop();
  const { authenticate } = services;
  services.reads.fail = true;
  expect((await rejectedWith(authenticate)).status).toBe(503);
  services.reads.fail = false;
  expect((await rejectedWith(authenticate)).status).toBe(503);
  expect(services.reads.count).toBe(1);
  services.clock.move(1_000);
  expect(await authenticate()).toMatchObject({ key: { name: 'laptop' } });
});

test('a key that was revoked during an outage is rejected at its first use after it', async () => {
  await using services = await openWithLaptop();
  const { authenticate } = services;
  await authenticate();
  services.reads.fail = true;
  services.clock.move(5_000);
  expect((await rejectedWith(authenticate)).status).toBe(503);
  await services.register.revoke('laptop');
  services.reads.fail = false;
  services.clock.move(5_000);
  expect((await rejectedWith(authenticate)).status).toBe(401);
});

describe('a running stream', () => {
  const ends: readonly (readonly [string, string, (services: Services) => Promise<unknown>])[] = [
    ['its key is revoked', 'key_revoked', ({ register, record }) => register.revoke(record.id)],
    ['its key is rotated', 'key_unknown', ({ register, record }) => register.rotate(record.id)],
    ['its key expires', 'key_expired', async ({ clock }) => clock.move(600_000)],
    [
      'its owner is disabled',
      'key_revoked',
      ({ database }) => database.members.setDisabled('mbr_ada', true),
    ],
    [
      'its owner is deleted',
      'key_unknown',
      ({ database }) => database.members.remove('mbr_ada', 'hash of identity'),
    ],
  ];
  type Services = Awaited<ReturnType<typeof openWithKey>>;

  async function openWithKey() {
    const services = await openKeyServices();
    await services.database.members.save(makeMember());
    const expiresAt = services.clock.now() + 600_000;
    const input = makeKeyInput({ expiresAt });
    const { text, record } = await services.register.create(input, makeKeyOwner());
    const { recheck } = await services.use(text);
    return { ...services, record, recheck };
  }

  test.for(ends)('ends within 5 s once %s', async ([, reason, end]) => {
    await using services = await openWithKey();
    services.clock.move(5_000);
    expect(await services.recheck()).toBeNull();
    await end(services);
    services.clock.move(5_000);
    expect(await services.recheck()).toMatchObject({ status: 401, reason });
  });

  test('goes on while the database is away, for a minute at most', async () => {
    await using services = await openWithKey();
    services.reads.fail = true;
    for (let seconds = 0; seconds < 58; seconds += 2) {
      services.clock.move(2_000);
      expect(await services.recheck()).toBeNull();
    }
    services.clock.move(2_000);
    expect(await services.recheck()).toMatchObject({ status: 503, reason: 'keys_unreadable' });
  });

  test('in the playground ends once its member is disabled or deleted', async () => {
    await using services = await openWithKey();
    const { authenticator, clock, database } = services;
    const { members } = database;
    const { key, recheck } = authenticator.authenticateMember({
      id: 'playground_mbr_ada',
      name: 'Playground',
      owner: makeKeyOwner(),
    });
    expect(key).toMatchObject({ id: 'playground_mbr_ada', owner: 'mbr_ada', models: null });
    await expect.poll(() => services.reads.count).toBe(2);
    services.reads.fail = true;
    clock.move(5_000);
    expect(await recheck()).toBeNull();
    services.reads.fail = false;
    clock.move(5_000);
    expect(await recheck()).toBeNull();
    const expected = { status: 401, message: expect.stringContaining('disabled or deleted') };
    await members.setDisabled('mbr_ada', true);
    clock.move(5_000);
    expect(await recheck()).toMatchObject(expected);
    await members.setDisabled('mbr_ada', false);
    clock.move(5_000);
    expect(await recheck()).toBeNull();
    services.reads.fail = true;
    clock.move(58_000);
    expect(await recheck()).toBeNull();
    clock.move(2_000);
    expect(await recheck()).toMatchObject({ status: 503, reason: 'members_unreadable' });
    services.reads.fail = false;
    await members.remove('mbr_ada', 'hash of identity');
    clock.move(5_000);
    expect(await recheck()).toMatchObject(expected);
  });

  test('shares its lookups with a thousand others', async () => {
    await using services = await openWithKey();
    services.clock.move(2_001);
    services.reads.count = 0;
    await Promise.all(Array.from({ length: 1_000 }, services.recheck));
    expect(services.reads.count).toBe(1);
  });
});

test('invalid keys from an address are slowed down, and valid ones from there are not', async () => {
  await using services = await openKeyServices();
  const { text } = await services.register.create(makeKeyInput());
  const request = new Request('http://localhost/');
  const refuse = () =>
    rejectedWith(() => services.authenticator.authenticate('Bearer mq_wrong', request));

  for (let turn = 0; turn < 20; turn++) await refuse();
  const startedAt = performance.now();
  const rejected = refuse();
  expect(await services.authenticator.authenticate(`Bearer ${text}`, request)).toBeDefined();

  expect(await rejected).toMatchObject({ status: 401 });
  expect(performance.now() - startedAt).toBeGreaterThan(900);
});
