import { expect, test } from 'vitest';
import type { Database } from '#lib/database.ts';
import { createKeyAuthenticator } from '#lib/keys/key-authenticator.ts';
import { createKeyRegister } from '#lib/keys/key-register.ts';
import { createKeyHasher } from '#lib/keys/key-text.ts';
import { keyDefaults, makeKeyInput } from '../../support/factories/key-services.ts';
import { openTestDatabase } from '../../support/servers/each-database.ts';
import { createTestLog } from '../../support/test-log.ts';
import { rejectedWith } from '../../support/upstreams/proxy-errors.ts';

/** A process with these peppers. */
function createServices({ keys, members }: Database, pepper: string, previous: string | null) {
  const common = {
    keys,
    toHash: createKeyHasher(pepper),
    toPreviousHash: previous === null ? null : createKeyHasher(previous),
    now: Date.now,
  };
  const log = createTestLog();
  return {
    register: createKeyRegister(common),
    authenticator: createKeyAuthenticator({
      ...common,
      members,
      defaults: keyDefaults,
      keysWorkUntil: () => Number.POSITIVE_INFINITY,
      siteUrl: 'https://events.example',
      log,
    }),
  };
}

test('a key of the previous pepper works until it is rotated, and then only its new text does', async () => {
  const database = await openTestDatabase();
  const before = await createServices(database, 'old', null).register.create(makeKeyInput());
  const during = createServices(database, 'new', 'old');
  const old = `Bearer ${before.text}`;
  expect(await during.authenticator.authenticate(old)).toMatchObject({ key: { name: 'laptop' } });
  // The key itself finds it, as when one has leaked.
  const rotated = await during.register.rotate(before.text);
  const process = createServices(database, 'new', 'old');
  const rejected = await rejectedWith(() => process.authenticator.authenticate(old));
  expect(rejected.status).toBe(401);
  const after = createServices(database, 'new', null);
  expect(await after.authenticator.authenticate(`Bearer ${rotated.text}`)).toMatchObject({
    key: { name: 'laptop' },
  });
});

test('without the previous pepper its keys are unknown', async () => {
  const database = await openTestDatabase();
  const { text } = await createServices(database, 'old', null).register.create(makeKeyInput());
  const { authenticator } = createServices(database, 'new', null);
  const rejected = await rejectedWith(() => authenticator.authenticate(`Bearer ${text}`));
  expect(rejected.status).toBe(401);
});
