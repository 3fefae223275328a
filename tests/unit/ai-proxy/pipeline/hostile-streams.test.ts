import { expect, test } from 'vitest';
import { startPipelineServer, toPost, toPrompt } from '../../../support/servers/pipeline-server.ts';
import { eventStream, startRawUpstream } from '../../../support/upstreams/raw-upstream.ts';

// An exception outside of a request would end the process: the run fails for any that is not caught.

const depth = 100_000;
/** JSON that can be parsed, but is too deep to be written again. */
const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
const head = '"id":"c","object":"chat.completion.chunk","created":1,"model":"m"';

test('an item that is nested too deep fails its stream only', async () => {
  const item = `{"type":"message","id":"msg_1","content":[],"x":${deep}}`;
  await using upstream = await startRawUpstream((response) => {
    response.writeHead(200, eventStream);
    response.write('data: {"type":"response.created","response":{"id":"resp_1"}}\n\n');
    response.end(`data: {"type":"response.output_item.added","output_index":0,"item":${item}}\n\n`);
  });
  await using server = await startPipelineServer({ ...upstream, style: 'responses' });

  const response = await fetch(server.url, toPost(toPrompt('m', true)));

  expect(await response.text()).toContain('"code":"upstream_error"');
  expect(server.reservations.open).toBe(0);
});

test('a chunk that waits for the budget and cannot be relayed fails its stream only', async () => {
  const usage = '"usage":{"prompt_tokens":90000,"completion_tokens":1}';
  await using upstream = await startRawUpstream((response) => {
    response.writeHead(200, eventStream);
    response.write(`data: {${head},"choices":[{"delta":{"content":"a"}}],${usage}}\n\n`);
    response.write(`data: {${head},"choices":[{"delta":{"content":"b","x":${deep}}}]}\n\n`);
  });
  await using server = await startPipelineServer(upstream);

  const response = await fetch(server.url, toPost(toPrompt('m', true)));

  expect(await response.text()).toContain('"code":"upstream_error"');
  expect(server.reservations.open).toBe(0);
});
