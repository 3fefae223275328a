import { expect, test } from 'vitest';
import { parseBudget } from '#lib/config/budget.ts';
import { makeKeyInput, openKeyServices } from '../../support/factories/key-services.ts';
import { makeKeyOwner, makeMember } from '../../support/factories/member-factory.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { readAuditLog } from '../../support/read-audit-log.ts';
import { describeEachDatabase, openTestDatabase } from '../../support/servers/each-database.ts';

/** Entries of the same millisecond have no order. */
const actionsOf = async (...filter: Parameters<typeof readAuditLog>) =>
  (await readAuditLog(...filter)).map(({ action }) => action).sort();

describeEachDatabase((createTestDatabase) => {
  // ASVS 16.2.1
  test('every change of a key is an entry: who, what, whose, and which columns, but no name and no secret', async () => {
    await using services = await openKeyServices(await createTestDatabase());
    const { database, register } = services;
    await database.members.save(makeMember());
    const { text, record } = await register.create(
      makeKeyInput({ name: '<b>Ada’s laptop</b>' }),
      makeKeyOwner(),
    );
    await register.update(record.id, { name: 'desk' }, 'mbr_ada');
    await register.update(record.id, { tokensPerDay: 500 });
    await register.rotate(record.id, 'mbr_ada');
    await register.revoke(record.id, 'mbr_robin');
    await expect(register.revoke(record.id, 'mbr_robin')).rejects.toThrow();
    const entries = await readAuditLog(database);
    const found = (action: string) => entries.filter((entry) => entry.action === action);
    expect(entries).toHaveLength(5);
    expect(found('key.created')).toMatchObject([{ actor: 'mbr_ada', memberId: 'mbr_ada' }]);
    expect(found('key.renamed')).toMatchObject([{ actor: 'mbr_ada', newValues: null }]);
    expect(found('key.changed')).toMatchObject([
      { actor: null, oldValues: { tokens_per_day: null }, newValues: { tokens_per_day: 500 } },
    ]);
    expect(found('key.rotated')).toMatchObject([{ actor: 'mbr_ada', newValues: null }]);
    expect(found('key.revoked')).toMatchObject([
      { actor: 'mbr_robin', memberId: 'mbr_ada', target: record.id },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/laptop|desk|mq_/);
    expect(JSON.stringify(entries)).not.toContain(text);
  });

  test('an update that changes nothing is no entry', async () => {
    await using services = await openKeyServices(await createTestDatabase());
    const { database, register } = services;
    await register.create(makeKeyInput());
    await register.update('laptop', { name: 'laptop' });
    expect(await actionsOf(database)).toEqual(['key.created']);
  });

  test('what is done to a member is an entry, once, with the time of the clock', async () => {
    const options = await createTestDatabase();
    const clock = createFakeClock();
    const database = await openTestDatabase({ ...options, now: clock.now });
    const { id } = await database.members.save(makeMember());
    await database.members.setDisabled(id, true, 'mbr_robin');
    const disabledAt = clock.now();
    clock.move(1);
    await database.members.setDisabled(id, true, 'mbr_robin');
    expect((await database.members.find(id))?.disabledAt).toBe(disabledAt);
    expect(await readAuditLog(database)).toMatchObject([
      { action: 'member.disabled', at: disabledAt },
    ]);
    await database.members.setDisabled(id, false, 'mbr_robin');
    await database.groups.create('staff', parseBudget('5 USD/day'));
    await database.groups.setBudget('staff', parseBudget('6 USD/day'), 'mbr_robin');
    await database.members.setGroup(id, 'staff', 'mbr_robin');
    await database.members.setGroup(id, 'nobody', 'mbr_robin');
    await database.members.setBudget(id, parseBudget('1 USD/day'), 'mbr_robin');
    await database.groups.remove('staff');
    await database.groups.remove('staff');
    expect(await actionsOf(database)).toEqual([
      'group.budget',
      'group.created',
      'group.removed',
      'member.budget',
      'member.disabled',
      'member.enabled',
      'member.group',
    ]);
    const [group] = await readAuditLog(database, { action: 'member.group' });
    expect(group).toMatchObject({
      actor: 'mbr_robin',
      memberId: id,
      target: id,
      oldValues: { group_name: null },
      newValues: { group_name: 'staff' },
    });
  });

  test('the end of a session is an entry, unless another one of the browser takes its place', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    const { id } = await database.members.save(makeMember());
    const times = { device: 'Firefox', createdAt: 1, usedAt: 1 };
    for (const session of ['ses_1', 'ses_2']) {
      await database.sessions.insert({ id: session, memberId: id, hash: session, ...times });
    }
    await database.sessions.remove('ses_1');
    await database.sessions.end('ses_2', 'mbr_other');
    await database.sessions.end('ses_2', id);
    const own = { actor: id, memberId: id };
    expect(await readAuditLog(database)).toMatchObject([
      { action: 'session.ended', target: 'ses_2', ...own },
      { action: 'session.started', target: 'ses_2', ...own },
      { action: 'session.started', target: 'ses_1', ...own },
    ]);
  });

  test('a deleted member’s entries stay, with an id that names nobody', async () => {
    await using services = await openKeyServices(await createTestDatabase());
    const { database, register } = services;
    const { id } = await database.members.save(makeMember({ id: 'mbr_x1' }));
    await register.create(makeKeyInput({ name: 'Ada’s laptop' }), makeKeyOwner({ id }));
    await database.members.remove(id, id);
    expect(await actionsOf(database, { person: id })).toEqual(['key.created', 'member.deleted']);
    expect(JSON.stringify(await readAuditLog(database))).not.toMatch(/Ada|moreno/i);
    expect(await database.members.names([id])).toEqual(new Map());
  });

  test('the log has a filter by person and by action, and ends after the retention', async () => {
    const database = await openTestDatabase(await createTestDatabase());
    for (const name of ['one', 'two', 'three']) await database.groups.create(name, null, 'mbr_a');
    await database.groups.remove('one', 'mbr_b');
    expect(await readAuditLog(database)).toHaveLength(4);
    expect(await actionsOf(database, { person: 'mbr_b' })).toEqual(['group.removed']);
    expect(await actionsOf(database, { action: 'group.created' })).toHaveLength(3);
    expect(await database.auditLog.prune('2020-01-01')).toBe(0);
    expect(await database.auditLog.prune('2999-01-01')).toBe(4);
  });
});
