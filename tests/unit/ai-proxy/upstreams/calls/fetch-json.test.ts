import { expect, test } from 'vitest';
import { faultCanary } from '#lib/demo/airtable/faults.ts';
import { chatWith, startModelUpstream } from '../../../../support/upstreams/model-upstream.ts';

const list = { method: 'GET', path: '/models' } as const;

test('a body is read as JSON', async () => {
  await using fixture = await startModelUpstream();
  expect(await fixture.upstream.fetchJson(list)).toMatchObject({ data: expect.any(Array) });
  expect(fixture.upstream.health().openCalls).toBe(0);
});

test.for([
  ['200-error', 502],
  ['200-429', 429],
  ['broken-json', 502],
  ['empty', 502],
  ['html', 502],
  ['cut', 502],
  ['mid-stream-error', 502],
] as const)('fault/%s is an error in spite of its status 200', async ([name, status]) => {
  await using fixture = await startModelUpstream();
  const error = await fixture.upstream
    .fetchJson(chatWith(`fault/${name}`, false))
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'HttpError', status });
  expect(String(error)).not.toContain(faultCanary);
});

test('its own timeout gives a 504', async () => {
  await using fixture = await startModelUpstream();
  const read = fixture.upstream.fetchJson({ ...chatWith('fault/hang', false), totalMs: 100 });
  await expect(read).rejects.toMatchObject({ status: 504 });
});
