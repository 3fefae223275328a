import { expect, test } from 'vitest';
import {
  chatWith,
  makeCall,
  startModelUpstream,
} from '../../../support/upstreams/model-upstream.ts';

test('an upstream that works has no failure and nothing is blocked', async () => {
  await using fixture = await startModelUpstream();
  await makeCall(fixture.upstream, chatWith('lantern-demo/wick-3', false));
  expect(fixture.upstream.health()).toEqual({
    breaker: 'closed',
    circuits: [],
    openCalls: 0,
    lastFailure: null,
  });
});

test('a failure is kept in our own words; failures in a row block their model alone', async () => {
  await using fixture = await startModelUpstream({}, { breaker: { failuresMax: 3 } });
  const group = { circuit: 'fault/500', owner: null };
  const request = { ...chatWith('fault/500', false), group };
  for (let count = 0; count < 3; count += 1) await makeCall(fixture.upstream, request);
  expect(fixture.upstream.health()).toMatchObject({
    breaker: 'closed',
    circuits: ['fault/500'],
    lastFailure: { reason: 'status 500' },
  });
});

test('a mistake of a client is no failure of the upstream', async () => {
  await using fixture = await startModelUpstream();
  await makeCall(fixture.upstream, chatWith('fault/400', false));
  expect(fixture.upstream.health().lastFailure).toBeNull();
});
