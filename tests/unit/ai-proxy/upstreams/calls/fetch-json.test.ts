import { expect, test } from 'vitest';
import { chatWith, startModelUpstream } from '../../../../support/upstreams/model-upstream.ts';

const list = { method: 'GET', path: '/models' } as const;

test('a body is read as JSON', async () => {
  await using fixture = await startModelUpstream();
  expect(await fixture.upstream.fetchJson(list)).toMatchObject({ data: expect.any(Array) });
  expect(fixture.upstream.health().openCalls).toBe(0);
});

test('its own timeout gives a 504', async () => {
  await using fixture = await startModelUpstream();
  const read = fixture.upstream.fetchJson({ ...chatWith('fault/hang', false), totalMs: 100 });
  await expect(read).rejects.toMatchObject({ status: 504 });
});
