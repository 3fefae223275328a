import { expect, test } from 'vitest';
import { createKeyOrigins } from '#lib/keys/key-origins.ts';
import { StorageError } from '#lib/storage/storage-error.ts';
import { makeKeyInput, openKeyServices } from '../../support/factories/key-services.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { describeEachDatabase } from '../../support/servers/each-database.ts';
import { createTestLog } from '../../support/test-log.ts';

const minuteMs = 60_000;

function openOrigins() {
  const clock = createFakeClock();
  const log = createTestLog();
  const stored: [id: string, network: string][] = [];
  const store = { isAway: false };
  const note = createKeyOrigins({
    now: clock.now,
    log,
    keys: {
      async setUsedFrom(id, network) {
        stored.push([id, network]);
        if (store.isAway) throw new StorageError('away', { code: 'ECONNREFUSED' });
      },
    },
  });
  return { clock, log, stored, store, note };
}

test('the network of a key is stored, shortened, and no more often than every 5 minutes', () => {
  const { clock, stored, note } = openOrigins();
  for (let count = 0; count < 100; count += 1) note('key_one', () => '203.0.113.9');
  note('key_two', () => '2001:db8:1:2::3');
  note('key_one', () => '198.51.100.7');
  expect(stored).toEqual([
    ['key_one', '203.0.113.0/24'],
    ['key_two', '2001:db8:1::/48'],
  ]);
  clock.move(5 * minuteMs);
  note('key_one', () => '198.51.100.7');
  expect(stored.slice(2)).toEqual([['key_one', '198.51.100.0/24']]);
});

test('the same network, and requests without an address, write nothing', () => {
  const { clock, stored, note } = openOrigins();
  note('key_one', () => '203.0.113.9');
  clock.move(5 * minuteMs);
  note('key_one', () => '203.0.113.200');
  note('key_two', () => '');
  expect(stored).toHaveLength(1);
});

test('a database that is away is in the log, and tried again after 5 minutes', async () => {
  const { clock, log, stored, store, note } = openOrigins();
  store.isAway = true;
  note('key_one', () => '203.0.113.9');
  await Promise.resolve();
  note('key_one', () => '203.0.113.9');
  expect(stored).toHaveLength(1);
  clock.move(5 * minuteMs);
  note('key_one', () => '203.0.113.9');
  expect(stored).toHaveLength(2);
  await expect.poll(log.text).toContain('where a key is used from cannot be stored');
});

describeEachDatabase((createTestDatabase) => {
  test('where a key was used from is stored, but not for a revoked key', async () => {
    await using services = await openKeyServices(await createTestDatabase());
    const { keys } = services.database;
    const { record } = await services.register.create(makeKeyInput());
    await keys.setUsedFrom(record.id, '203.0.113.0/24');
    expect(await keys.find('id', record.id)).toMatchObject({ usedFrom: '203.0.113.0/24' });
    await keys.revoke(record.id);
    await keys.setUsedFrom(record.id, '198.51.100.0/24');
    expect(await keys.find('id', record.id)).toMatchObject({ usedFrom: '203.0.113.0/24' });
  });
});
