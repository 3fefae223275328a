import { expect, test } from 'vitest';
import type { OpenCall } from '#lib/ai-proxy/upstreams/calls/open-call.ts';
import type { Upstream } from '#lib/ai-proxy/upstreams/upstream.ts';
import { chatWith, startModelUpstream } from '../../../support/upstreams/model-upstream.ts';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A reader that pauses until it is resumed. */
function readSlowly(upstream: Upstream, model: string, isStream: boolean) {
  const reader = { bytes: 0, chunks: 0, isOver: false };
  const call: OpenCall = upstream.call(chatWith(model, isStream), {
    onHeaders() {},
    onData(chunk) {
      reader.bytes += chunk.length;
      reader.chunks += 1;
      return false;
    },
    onEnd() {
      reader.isOver = true;
    },
    onError() {
      reader.isOver = true;
    },
  });
  return { reader, call };
}

test.for([true, false])('a paused reader pauses the upstream (stream: %s)', async (isStream) => {
  await using fixture = await startModelUpstream();
  const { reader, call } = readSlowly(fixture.upstream, 'fault/endless', isStream);
  await expect.poll(() => reader.chunks).toBe(1);
  // What was sent is in the buffers of two sockets, and stops growing when they are full.
  await expect
    .poll(async () => {
      const sent = fixture.models.stats().bytes;
      await wait(500);
      return fixture.models.stats().bytes - sent;
    })
    .toBe(0);
  expect(reader.chunks).toBe(1);
  expect(reader.bytes).toBeLessThanOrEqual(64 * 1024);
  const read = reader.bytes;
  for (let turn = 0; turn < 100; turn++) {
    call.resume();
    await wait(1);
  }
  expect(reader.bytes).toBeGreaterThan(read);
  // One read per turn.
  expect(reader.bytes).toBeLessThanOrEqual(101 * 64 * 1024);
  call.abort();
  await expect.poll(() => fixture.models.stats().openRequests).toBe(0);
});

test('200 MB in one frame are streamed piece by piece, never buffered', async () => {
  await using fixture = await startModelUpstream();
  let bytes = 0;
  let largest = 0;
  const before = process.memoryUsage().arrayBuffers;
  let grownMax = 0;
  await new Promise<void>((resolve) => {
    fixture.upstream.call(chatWith('fault/huge-frame:200000000', true), {
      onHeaders() {},
      onData(chunk) {
        bytes += chunk.length;
        largest = Math.max(largest, chunk.length);
        grownMax = Math.max(grownMax, process.memoryUsage().arrayBuffers - before);
        return true;
      },
      onEnd: resolve,
      onError: () => resolve(),
    });
  });
  expect(bytes).toBeGreaterThan(200_000_000);
  expect(largest).toBeLessThanOrEqual(64 * 1024);
  expect(grownMax).toBeLessThan(100_000_000);
});

test('a slow reader gets every byte in order', async () => {
  await using fixture = await startModelUpstream();
  const { reader, call } = readSlowly(fixture.upstream, 'fault/huge-frame:3000000', true);
  while (!reader.isOver) {
    call.resume();
    await wait(1);
  }
  expect(reader.bytes).toBe(3_000_000 + 'data: {"id":""}\n\n'.length);
});

test('a pause by the reader is not a timeout of the upstream', async () => {
  await using fixture = await startModelUpstream(
    {},
    { timeouts: { firstByteMs: 3000, idleMs: 150 } },
  );
  const { reader, call } = readSlowly(fixture.upstream, 'fault/huge-frame:3000000', true);
  await expect.poll(() => reader.chunks).toBe(1);
  await wait(500);
  expect(reader.isOver).toBe(false);
  call.abort();
});

test('a buffered body has a size limit, and bytes above it are dropped', async () => {
  await using fixture = await startModelUpstream();
  const request = chatWith('fault/huge-frame:50000000', false);
  await expect(fixture.upstream.read(request, String, 100_000).result).rejects.toMatchObject({
    status: 502,
    reason: 'a body of more than 100000 bytes',
  });
  await expect.poll(() => fixture.models.stats().openRequests).toBe(0);
  expect(fixture.models.stats().bytes).toBeLessThan(40_000_000);
  await expect(
    fixture.upstream.read(chatWith('fault/endless', false), String, 100_000).result,
  ).rejects.toMatchObject({
    status: 502,
  });
  await expect.poll(() => fixture.models.stats().openRequests).toBe(0);
});
