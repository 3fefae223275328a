import { expect, test } from 'vitest';
import { startMarqueeInProcess } from '../../support/servers/marquee-server.ts';
import { startRawUpstream } from '../../support/upstreams/raw-upstream.ts';

test('Claude Code’s request for models gets one page in Anthropic’s format, with the ids that it looks for', async () => {
  await using upstream = await startRawUpstream((response) => {
    response.setHeader('content-type', 'application/json');
    const ids = ['claude-sonnet-5', 'lantern/wick', 'anthropic/claude-haiku-5'];
    response.end(JSON.stringify({ data: ids.map((id) => ({ id, created: 1_760_000_000 })) }));
  });
  await using server = await startMarqueeInProcess({
    AI_UPSTREAM_URL: upstream.url,
    AI_UPSTREAM_KEY: 'x',
  });
  const response = await fetch(`${server.url}/proxy/v1/models?limit=1000`, {
    headers: { 'anthropic-version': '2023-06-01' },
  });
  expect(response.status).toBe(200);
  const { data, ...page } = await response.json();
  expect(page).toEqual({ has_more: false, first_id: data[0].id, last_id: data.at(-1).id });
  for (const id of ['anthropic/claude-haiku-5', 'claude-sonnet-5']) {
    const created_at = '2025-10-09T08:53:20.000Z';
    expect(data).toContainEqual({ type: 'model', id, display_name: id, created_at });
  }
});
