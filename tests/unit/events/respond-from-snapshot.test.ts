import { expect, test, vi } from 'vitest';
import { respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { createClientTurns } from '#lib/http/client-turns.ts';
import { createRepresentationStore } from '#lib/http/representations/representation-store.ts';
import { makeSnapshot } from '../../support/factories/snapshot-factory.ts';

async function makeParts(freshSeconds = 60) {
  const snapshot = await makeSnapshot([]);
  const events = {
    current: async () => snapshot,
    load: async () => snapshot,
    rowsRead: () => 0,
    refresh: async () => snapshot,
    peek: () => snapshot,
    followClock: () => {},
    refreshAgeMs: () => 228_000,
    status: () => ({ lastRead: null, lastFailure: null, isFailing: false }),
    freshSeconds: () => freshSeconds,
  };
  const representations = createRepresentationStore(1_000_000);
  return { snapshot, parts: { events, representations, takeTurn: createClientTurns(0) } };
}

test('a representation is created once per snapshot, and has the loader’s freshness', async () => {
  const { snapshot, parts } = await makeParts();
  const write = vi.fn(() => 'text');
  const representation = { key: 'a', contentType: 'text/plain', write };
  const request = new Request('http://localhost/');
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => respondFromSnapshot(request, parts, snapshot, representation)),
  );
  for (const response of responses) {
    expect(await response.text()).toBe('text');
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  }
  expect(write).toHaveBeenCalledTimes(1);
});

test('a failed representation is created again', async () => {
  const { snapshot, parts } = await makeParts(0);
  const write = vi
    .fn(() => 'text')
    .mockImplementationOnce(() => {
      throw new Error('not now');
    });
  const representation = { key: 'a', contentType: 'text/plain', write };
  const request = new Request('http://localhost/');
  await expect(respondFromSnapshot(request, parts, snapshot, representation)).rejects.toThrow(
    'not now',
  );
  const response = await respondFromSnapshot(request, parts, snapshot, representation);
  expect(response.headers.get('cache-control')).toBe('no-cache');
});
