import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listenOnLoopback } from '../../../support/servers/loopback-server.ts';
import {
  chatWith,
  followCall,
  makeCall,
  startModelUpstream,
} from '../../../support/upstreams/model-upstream.ts';

const workingModel = 'lantern-demo/wick-3';

test('a call that is closed before anything is sent sends nothing', async () => {
  await using fixture = await startModelUpstream();
  const call = fixture.upstream.call(chatWith(workingModel, true));
  call.close();
  expect(fixture.upstream.health().openCalls).toBe(0);
  // A later call gets a free slot.
  expect((await makeCall(fixture.upstream, chatWith(workingModel, true))).error).toBeNull();
  expect(fixture.models.stats().requests).toBe(1);
  expect(await call.next()).toBeNull();
});

test.for([
  ['before the headers', 'fault/hang', false],
  ['before the headers of a slow one', 'fault/slow:60000', false],
  ['after the headers', 'fault/hang-headers', true],
  ['in mid-response', 'fault/hang-mid-stream', true],
  ['of an endless response', 'fault/endless', true],
] as const)(
  'closing %s closes the upstream’s request, streamed or not',
  async ([, model, isOpened]) => {
    await using fixture = await startModelUpstream();
    for (const isStream of [false, true]) {
      const call = fixture.upstream.call(chatWith(model, isStream));
      await expect.poll(() => fixture.models.stats().openRequests).toBe(1);
      if (isOpened) await call.opened;
      const waiting = isOpened ? null : call.next();
      call.close();
      await expect.poll(() => fixture.models.stats().openRequests).toBe(0);
      expect(await (waiting ?? call.next())).toBeNull();
    }
    expect(fixture.models.stats().aborted).toBe(2);
    expect(fixture.upstream.health().openCalls).toBe(0);
  },
);

test('closing after the end, also twice, does nothing, and the connection stays open', async () => {
  await using fixture = await startModelUpstream();
  const call = fixture.upstream.call(chatWith(workingModel, false));
  await followCall(call);
  call.close();
  call.closeSoon();
  await makeCall(fixture.upstream, chatWith(workingModel, false));
  expect(fixture.models.stats()).toMatchObject({ aborted: 0, finished: 2 });
  expect(fixture.models.stats().connections).toBeLessThanOrEqual(2);
});

test('a complete reply that the upstream does not end is given a moment, then closed', async () => {
  await using fixture = await startModelUpstream();
  const call = fixture.upstream.call(chatWith('fault/hang-mid-stream', true));
  await call.opened;
  await call.next();
  call.closeSoon();
  expect(fixture.upstream.health().openCalls).toBe(0);
  expect(fixture.models.stats().openRequests).toBe(1);
  await expect.poll(() => fixture.models.stats().openRequests).toBe(0);
});

test('closing while a retry is pending ends the call', async () => {
  await using fixture = await startModelUpstream();
  fixture.models.setPathFault({ path: '/models', name: '429-short', times: 10 });
  const call = fixture.upstream.call({ method: 'GET', path: '/models' });
  await expect.poll(() => fixture.models.stats().finished).toBe(1);
  call.close();
  // Another call, which came later, is retried after the same time.
  fixture.models.setPathFault({ path: '/models', name: '429-short', times: 1 });
  await makeCall(fixture.upstream, { method: 'GET', path: '/models' });
  expect(fixture.models.stats().requests).toBe(3);
});

test('closing a call without a response closes the connection', async () => {
  const silent = createServer((socket) => socket.resume());
  await using server = await listenOnLoopback(silent);
  await using fixture = await startModelUpstream({}, { url: server.url });
  const call = fixture.upstream.call(chatWith(workingModel, true));
  await expect.poll(() => connectionsOf(silent)).toBe(1);
  call.close();
  await expect.poll(() => connectionsOf(silent)).toBe(0);
});

function connectionsOf(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
}
