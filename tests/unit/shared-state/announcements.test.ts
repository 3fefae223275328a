import { expect, test } from 'vitest';
import { announce, createAnnouncements } from '#lib/shared-state/announcements.ts';
import { createSharedRedis } from '#lib/shared-state/redis.ts';
import { makeKeyInput, openKeyServices } from '../../support/factories/key-services.ts';
import { setUpRedis } from '../../support/servers/redis-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { createTestLog } from '../../support/test-log.ts';
import { rejectedWith } from '../../support/upstreams/proxy-errors.ts';

const server = setUpRedis();

async function openAnnouncements(onKeysChanged: () => void) {
  const announcements = createAnnouncements(server.url);
  const redis = createSharedRedis({ url: server.url, log: createTestLog() });
  announcements.on('keys-changed', onKeysChanged);
  const untilListening = () =>
    expect.poll(() => server.countListeners('marquee:keys-changed')).toBe(1);
  await untilListening();
  return {
    redis,
    untilListening,
    async [Symbol.asyncDispose]() {
      await announcements.close();
      await redis.close();
    },
  };
}

test('an announcement is heard', async () => {
  let heard = 0;
  await using open = await openAnnouncements(() => {
    heard += 1;
  });
  heard = 0;
  await announce(open.redis, 'keys-changed');
  await expect.poll(() => heard).toBe(1);
});

test('after Redis was away, it listens again, and what it may have missed is looked up', async () => {
  let heard = 0;
  await using open = await openAnnouncements(() => {
    heard += 1;
  });
  heard = 0;
  await server.kill();
  await server.start();
  await open.untilListening();
  await expect.poll(() => heard).toBeGreaterThan(0);
  heard = 0;
  await announce(open.redis, 'keys-changed');
  await expect.poll(() => heard).toBe(1);
});

test('without Redis an announcement is lost, without an error', async () => {
  const redis = createSharedRedis({ url: 'redis://127.0.0.1:1', log: createTestLog() });
  await announce(redis, 'keys-changed');
  await redis.close();
});

test('a revoked key is rejected as soon as that is announced, before keys are read by themselves', async () => {
  using folder = makeTemporaryFolder();
  const place = { databaseUrl: null, dataDir: folder.path };
  let announceHere = () => {};
  await using services = await openKeyServices(place, undefined, (callback) => {
    announceHere = callback;
  });
  await using open = await openAnnouncements(() => announceHere());
  const { text } = await services.register.create(makeKeyInput());
  const { authenticator } = services;
  expect(await authenticator.authenticate(`Bearer ${text}`)).toMatchObject({ name: 'laptop' });
  await services.register.revoke('laptop');
  // The clock stands still, so no read is due.
  await authenticator.authenticate(`Bearer ${text}`);
  await announce(open.redis, 'keys-changed');
  await expect
    .poll(() =>
      authenticator.authenticate(`Bearer ${text}`).then(
        () => 'valid',
        () => 'rejected',
      ),
    )
    .toBe('rejected');
  const { status } = await rejectedWith(() => authenticator.authenticate(`Bearer ${text}`));
  expect(status).toBe(401);
});
