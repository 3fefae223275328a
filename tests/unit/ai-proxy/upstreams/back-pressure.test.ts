import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { chatWith, startModelUpstream } from '../../../support/upstreams/model-upstream.ts';

/** Buffers of both sockets, which the kernel may let grow to a few megabytes. */
const underWayMax = 16_000_000;

test('200 MB in one frame are streamed piece by piece, never buffered', async () => {
  await using fixture = await startModelUpstream();
  let bytes = 0;
  let largest = 0;
  let underWay = 0;
  const call = fixture.upstream.call(chatWith('fault/huge-frame:200000000', true));
  await call.opened;
  for (let chunk = await call.next(); chunk !== null; chunk = await call.next()) {
    bytes += chunk.length;
    largest = Math.max(largest, chunk.length);
    underWay = Math.max(underWay, fixture.models.stats().bytes - bytes);
  }
  call.close('healthy');
  expect(bytes).toBeGreaterThan(200_000_000);
  expect(largest).toBeLessThanOrEqual(64 * 1024);
  expect(underWay).toBeLessThan(underWayMax);
});

test('a pause by the reader is not a timeout of the upstream', async () => {
  const idleMs = 500;
  await using fixture = await startModelUpstream({}, { timeouts: { firstByteMs: 3000, idleMs } });
  const call = fixture.upstream.call(chatWith('fault/huge-frame:3000000', true));
  await call.opened;
  // No test clock: undici's timers run while the sockets are full.
  await delay(2 * idleMs);
  let bytes = 0;
  for (let chunk = await call.next(); chunk !== null; chunk = await call.next()) {
    bytes += chunk.length;
  }
  call.close('healthy');
  expect(bytes).toBe(3_000_000 + 'data: {"id":""}\n\n'.length);
});

test('a complete body has a size limit, and bytes above it are dropped', async () => {
  await using fixture = await startModelUpstream();
  for (const model of ['fault/huge-frame:50000000', 'fault/endless']) {
    const call = fixture.upstream.call(chatWith(model, false));
    await expect(call.readText(100_000)).rejects.toMatchObject({
      status: 502,
      reason: 'a body of more than 100000 bytes',
      isBillable: true,
    });
    call.close('failed');
    await expect.poll(() => fixture.models.stats().openRequests).toBe(0);
  }
  expect(fixture.models.stats().bytes).toBeLessThan(80_000_000);
});
