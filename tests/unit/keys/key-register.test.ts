import { expect, test } from 'vitest';
import type { CreateKeyInput } from '#lib/keys/create-key-input.ts';
import { createKeyRegister } from '#lib/keys/key-register.ts';
import { isKeyText, makeKeyText } from '#lib/keys/key-text.ts';
import { makeKeyInput, openKeyServices } from '../../support/factories/key-services.ts';
import { readAuditLog } from '../../support/read-audit-log.ts';
import { describeEachDatabase } from '../../support/servers/each-database.ts';

// ASVS 15.3.1
test('only the hash of a created key is stored', async () => {
  await using services = await openKeyServices();
  const { text, record } = await services.register.create(makeKeyInput());
  expect(isKeyText(text)).toBe(true);
  expect(record).toMatchObject({ name: 'laptop', hint: `${text.slice(0, 8)}…`, revokedAt: null });
  const stored = JSON.stringify(await services.database.keys.list());
  expect(stored).toContain(record.hash);
  expect(stored).not.toContain(text.slice(8));
});

test('a key is found by its name, its id and its own text', async () => {
  await using services = await openKeyServices();
  const { text, record } = await services.register.create(makeKeyInput());
  for (const reference of ['laptop', record.id, text]) {
    expect(await services.register.find(reference)).toEqual(record);
  }
  await expect(services.register.find('Laptop')).rejects.toMatchObject({
    status: 404,
    message: 'There is no key "Laptop".',
  });
  const stranger = makeKeyText();
  await expect(services.register.find(stranger)).rejects.toThrow('There is no key with that text');
});

test('an operation that a key does not allow is a 409 with a code', async () => {
  await using services = await openKeyServices();
  await services.register.create(makeKeyInput());
  await expect(services.register.create(makeKeyInput())).rejects.toMatchObject({
    status: 409,
    code: 'key_taken',
    message: 'There is a key named "laptop", active or revoked.',
  });
  await services.register.revoke('laptop');
  const revoked = { status: 409, code: 'key_revoked' };
  await expect(services.register.revoke('laptop')).rejects.toMatchObject(revoked);
  await expect(services.register.rotate('laptop')).rejects.toMatchObject(revoked);
  const update = services.register.update('laptop', { tokensPerDay: 5 });
  await expect(update).rejects.toMatchObject(revoked);
  const expiresAt = services.clock.now() + 1;
  await services.register.create(makeKeyInput({ name: 'guest', expiresAt }));
  services.clock.move(1);
  await expect(services.register.rotate('guest')).rejects.toMatchObject({
    status: 409,
    code: 'key_expired',
    message: '"guest" has expired.',
  });
});

const unfit: readonly (readonly [string, Partial<CreateKeyInput>, RegExp])[] = [
  ['an empty name', { name: '' }, /^A name is/],
  ['a name with a line end', { name: 'two\nlines' }, /^A name is/],
  ['a name with blanks around it', { name: ' laptop' }, /^A name is/],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, /^A name is/],
  ['a key for a name', { name: makeKeyText() }, /^A name is/],
  ['no models', { models: [] }, /^A list of models/],
  ['a blank model', { models: ['demo/small', ''] }, /^A list of models/],
  ['a star elsewhere', { models: ['*/demo'] }, /^A list of models/],
  ['no requests', { requestsPerMinute: 0 }, /^Requests a minute: a whole number from 1/],
  ['half a request', { requestsPerMinute: 1.5 }, /^Requests a minute/],
  ['no number of tokens', { tokensPerDay: Number.NaN }, /^Tokens a day/],
  ['a date that has gone', { expiresAt: 1 }, /expires in the future/],
  ['no date', { expiresAt: Number.NaN }, /expires in the future/],
];

test.for(unfit)('%s is rejected in one line', async ([, input, line]) => {
  await using services = await openKeyServices();
  const error = await services.register
    .create(makeKeyInput(input))
    .catch((failure: unknown) => failure);
  expect(error).toMatchObject({ status: 400, message: expect.stringMatching(line) });
  expect(String(error)).not.toContain('\n');
  expect(await services.database.keys.list()).toEqual([]);
});

test('two changes of one key at the same time both stay', async () => {
  await using services = await openKeyServices();
  const { keys } = services.database;
  const { record } = await services.register.create(makeKeyInput());
  const slow = createKeyRegister({
    keys: {
      ...keys,
      async find(by, value) {
        const found = await keys.find(by, value);
        await services.register.update(record.id, { tokensPerDay: 5 });
        return found;
      },
    },
    toHash: (text) => text,
    now: services.clock.now,
  });

  await slow.update(record.id, { name: 'phone' });

  expect(await keys.find('id', record.id)).toMatchObject({ name: 'phone', tokensPerDay: 5 });
});

describeEachDatabase((createTestDatabase) => {
  test('of many who revoke a key at the same time, one does, and the others hear that it is revoked', async () => {
    const options = await createTestDatabase();
    await using one = await openKeyServices(options);
    await using other = await openKeyServices(options);
    const { record } = await one.register.create(makeKeyInput());
    const results = await Promise.allSettled(
      [one, other, one, other].map(({ register }) => register.revoke(record.id)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      expect(result.reason).toMatchObject({ status: 409, code: 'key_revoked' });
    }
    expect(await readAuditLog(one.database, { action: 'key.revoked' })).toHaveLength(1);
  });
});
