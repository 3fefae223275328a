import { expect, test } from 'vitest';
import { faultCanary } from '#lib/demo/airtable/faults.ts';
import { chatWith, startModelUpstream } from '../../../../support/upstreams/model-upstream.ts';

const list = { method: 'GET', path: '/models' } as const;

test('a body is read with any parser, and as JSON', async () => {
  await using fixture = await startModelUpstream();
  const { result } = fixture.upstream.read(list, String);
  expect(await fixture.upstream.fetchJson(list)).toEqual(JSON.parse(await result));
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

test('an abort rejects with its reason, also before anything was sent', async () => {
  await using fixture = await startModelUpstream();
  const request = chatWith('fault/hang', false);
  const reading = fixture.upstream.read(request, String);
  await expect.poll(() => fixture.models.stats().openRequests).toBe(1);
  reading.abort(new Error('left'));
  await expect(reading.result).rejects.toThrow('left');
  await expect.poll(() => fixture.models.stats().openRequests).toBe(0);
  const another = fixture.upstream.read(request, String);
  another.abort(new Error('left at once'));
  await expect(another.result).rejects.toThrow('left at once');
  expect(fixture.upstream.health().openCalls).toBe(0);
  await expect.poll(() => fixture.models.stats().openRequests).toBe(0);
});
