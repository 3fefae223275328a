import { expect, test } from 'vitest';
import { createOwnerRule } from '#lib/accounts/members.ts';
import type { OwnerRule } from '#lib/keys/key-authenticator.ts';
import { makeKeyInput, openKeyServices } from '../../support/factories/key-services.ts';
import { makeKeyOwner, makeMember } from '../../support/factories/member-factory.ts';
import { readAuditLog } from '../../support/read-audit-log.ts';
import { describeEachDatabase } from '../../support/servers/each-database.ts';

const dayMs = 86_400_000;

describeEachDatabase((createTestDatabase) => {
  /** With a member who has a key. */
  async function openWithKey(rule?: OwnerRule) {
    const options = await createTestDatabase();
    const services = await openKeyServices(options, undefined, rule);
    const { database, register, clock } = services;
    const member = await database.members.save(makeMember({ confirmedAt: clock.now() }));
    const { text } = await register.create(makeKeyInput(), makeKeyOwner({ id: member.id }));
    return { ...services, options, member, text, use: () => services.use(text) };
  }

  test('a disabled member’s keys stop working within 5 seconds, and work again once enabled', async () => {
    await using services = await openWithKey();
    const { database, member, clock, use } = services;
    expect(await use()).toMatchObject({ key: { name: 'laptop' } });
    await database.members.setDisabled(member.id, true);
    clock.move(5_000);
    await expect(use()).rejects.toMatchObject({ status: 401 });
    await database.members.setDisabled(member.id, false);
    clock.move(5_000);
    expect(await use()).toMatchObject({ key: { name: 'laptop' } });
  });

  test('an instance that cannot read the database rejects new requests, and a disabled member’s streams go on for a minute at most', async () => {
    await using services = await openWithKey();
    await using cutOff = await openKeyServices(services.options, services.clock);
    const use = () => cutOff.use(services.text);
    const { recheck } = await use();
    cutOff.reads.fail = true;
    await services.database.members.setDisabled(services.member.id, true);
    services.clock.move(59_000);
    await expect(use()).rejects.toMatchObject({ status: 503 });
    expect(await recheck()).toBeNull();
    services.clock.move(1_000);
    expect(await recheck()).toMatchObject({ status: 503 });
  });

  test('a removed member’s keys stop working, and name nobody', async () => {
    await using services = await openKeyServices(await createTestDatabase());
    const { database, register, use } = services;
    const { id } = await database.members.save(makeMember());
    const owner = makeKeyOwner({ id });
    const { text, record } = await register.create(makeKeyInput({ name: 'Ada’s phone' }), owner);
    await register.create(makeKeyInput({ name: 'Ada’s laptop' }), owner);
    await database.keys.setUsedFrom(record.id, '203.0.113.0/24');
    await database.members.remove(id, 'hash of identity');
    await expect(use(text)).rejects.toMatchObject({ status: 401 });
    const stored = { name: 'deleted', hint: '', usedFrom: null };
    expect(await database.keys.find('id', record.id)).toMatchObject(stored);
    expect(await database.members.find(id)).toBeNull();
  });

  test('a member’s keys stop 90 days after the last sign-in, say so, and work again after the next', async () => {
    const rule = createOwnerRule({ allowed: [{ kind: 'everyone' }], keyDays: 90 });
    await using services = await openWithKey(rule);
    const { database, member, clock, use } = services;
    clock.move(90 * dayMs - 1);
    expect(await use()).toMatchObject({ key: { name: 'laptop' } });
    clock.move(1);
    await expect(use()).rejects.toMatchObject({
      status: 401,
      reason: 'key_unconfirmed',
      message: expect.stringContaining('Sign in at https://events.example/account'),
    });
    await database.members.save({ ...member, confirmedAt: clock.now() });
    clock.move(5_000);
    expect(await use()).toMatchObject({ key: { name: 'laptop' } });
  });

  // ASVS 2.3.4
  test('of forty keys made at once in two instances a member gets twenty; each has its entry in the log', async () => {
    const options = await createTestDatabase();
    await using services = await openKeyServices(options);
    await using other = await openKeyServices(options, services.clock);
    const owner = makeKeyOwner();
    await services.database.members.save(makeMember());
    const made = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        [services, other][index % 2]?.register.create(makeKeyInput({ name: `${index}` }), owner),
      ),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(await services.database.keys.list(owner.id)).toHaveLength(20);
    const created = await readAuditLog(services.database, { action: 'key.created' });
    expect(created).toHaveLength(20);
  });

  test('a key that is made while its member is deleted does not work, and names nobody', async () => {
    const options = await createTestDatabase();
    await using services = await openKeyServices(options);
    await using other = await openKeyServices(options, services.clock);
    for (let turn = 0; turn < 10; turn += 1) {
      const id = `mbr_${turn}`;
      await services.database.members.save(makeMember({ id, subject: id }));
      const [made] = await Promise.allSettled([
        services.register.create(makeKeyInput({ name: 'Ada’s phone' }), makeKeyOwner({ id })),
        other.database.members.remove(id, 'hash of identity'),
      ]);
      const names = (await services.database.keys.list(id)).map(({ name }) => name);
      expect(names).toEqual(made.status === 'fulfilled' ? ['deleted'] : []);
    }
  });

  test('of two keys that get the same name at once one does; a key may be renamed to its own name', async () => {
    await using services = await openKeyServices(await createTestDatabase());
    const { register } = services;
    await services.database.members.save(makeMember());
    for (const owner of [makeKeyOwner(), null]) {
      const name = owner === null ? 'cron' : 'laptop';
      const first = await register.create(makeKeyInput({ name: `${name} 1` }), owner);
      const second = await register.create(makeKeyInput({ name: `${name} 2` }), owner);
      const renamed = await Promise.allSettled(
        [first, second].map(({ record }) => register.update(record.id, { name })),
      );
      expect(renamed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const failed = renamed.find((result) => result.status === 'rejected');
      expect(failed?.reason.message).toContain('There is a key named');
      await register.update(first.record.id, { name: `${name} 3` });
      await register.update(first.record.id, { name: `${name} 3` });
    }
  });

  test('two members and the operator may use the same name; a revoked one is free again', async () => {
    await using services = await openKeyServices(await createTestDatabase());
    const { database, register } = services;
    const [first, second] = [makeKeyOwner({ id: 'mbr_one' }), makeKeyOwner({ id: 'mbr_two' })];
    for (const { id } of [first, second])
      await database.members.save(makeMember({ id, subject: id }));
    const { record } = await register.create(makeKeyInput(), first);
    await register.create(makeKeyInput(), second);
    await register.create(makeKeyInput());
    await expect(register.create(makeKeyInput(), first)).rejects.toThrow('There is a key named');
    expect((await register.find('laptop')).owner).toBeNull();
    await register.revoke(record.id);
    await register.create(makeKeyInput(), first);
  });
});

test('without accounts members’ keys go on working; disabled ones, and those that no rule admits, do not', () => {
  const owner = makeKeyOwner({ confirmedAt: 0 });
  const allowed = [{ kind: 'claim', name: 'groups', value: 'staff' }] as const;
  const staff = createOwnerRule({ allowed, keyDays: 1 });
  expect(createOwnerRule(null)({ ...owner, isDisabled: false })).toBe(Number.POSITIVE_INFINITY);
  expect(createOwnerRule(null)({ ...owner, isDisabled: true })).toBeNull();
  expect(staff({ ...owner, isDisabled: false })).toBeNull();
  expect(staff({ ...owner, isDisabled: false, claims: { groups: ['staff'] } })).toBe(dayMs);
});
