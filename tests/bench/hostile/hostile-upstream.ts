import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '../../support/servers/loopback-server.ts';

/** What hostile clients ask for, in a process of its own: others do not wait for it. */
const long = 'max_tokens'.repeat(30_000);
/** As dear to read as an error can be. */
const error = JSON.stringify({ error: { message: long, param: long, code: long, type: long } });
const reply = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'two',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
});
const list = JSON.stringify({ data: [{ id: 'hostile/errors' }, { id: 'hostile/replies' }] });

const { url } = await listenOnLoopback(
  createServer(async (request, response) => {
    const body = await buffer(request);
    const isError = body.includes('"hostile/errors"');
    response.writeHead(isError ? 400 : 200, { 'content-type': 'application/json' });
    response.end(request.method === 'GET' ? list : isError ? error : reply);
  }),
);
process.send?.(url);
