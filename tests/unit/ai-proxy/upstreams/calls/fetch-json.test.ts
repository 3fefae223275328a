import { expect, test } from 'vitest';
import { chatWith, startModelUpstream } from '../../../../support/upstreams/model-upstream.ts';

test('its own timeout gives a 504', async () => {
  await using fixture = await startModelUpstream();
  const read = fixture.upstream.fetchJson({ ...chatWith('fault/hang', false), totalMs: 100 });
  await expect(read).rejects.toMatchObject({ status: 504 });
});
