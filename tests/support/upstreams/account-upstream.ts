import type { ServerResponse } from 'node:http';
import { eventStream, startRawUpstream } from './raw-upstream.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * An account with Responses and Messages, whose encrypted reasoning no other account can read, as OpenAI’s and
 * Anthropic’s servers have it.
 */
export async function startAccount(account: string) {
  const requests: Fields[] = [];
  const own = `enc-${account}`;
  let isDown = false;

  function reject(response: ServerResponse, error: Fields): void {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ type: 'error', error }));
  }

  const upstream = await startRawUpstream((response, { method, url = '' }, body) => {
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [{ id: 'm/one' }] }));
      return;
    }
    if (isDown) {
      response.writeHead(503).end();
      return;
    }
    const request: Fields = JSON.parse(body);
    requests.push(request);
    const tokens = [...body.matchAll(/"(?:encrypted_content|signature|data)":"([^"]*)"/g)];
    const isForeign = tokens.some(([, token]) => token !== own);
    const isMessages = url.endsWith('/messages');
    if (isForeign) reject(response, isMessages ? invalidSignature : invalidContent);
    else if (isMessages) sendMessage(response, request, own);
    else sendResponseObject(response, request, own);
  });
  return {
    ...upstream,
    requests,
    setDown: (down: boolean) => {
      isDown = down;
    },
  };
}

const invalidContent = {
  message:
    'The encrypted content gAAA could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
  type: 'invalid_request_error',
  param: null,
  code: 'invalid_encrypted_content',
};
const invalidSignature = {
  type: 'invalid_request_error',
  message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
};

const usage = { input_tokens: 10, output_tokens: 5 };

function sendResponseObject(response: ServerResponse, { stream }: Fields, token: string): void {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: token };
  const content = [{ type: 'output_text', text: 'Hello', annotations: [] }];
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
  const output = [reasoning, message];
  const reply = { id: 'resp_1', object: 'response', status: 'completed', output, usage };
  if (stream !== true) sendJson(response, reply);
  else {
    const items = output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.output_item.done', output_index, item },
    ]);
    sendEvents(response, [...items, { type: 'response.completed', response: reply }]);
  }
}

function sendMessage(response: ServerResponse, { stream }: Fields, token: string): void {
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: token };
  const redacted = { type: 'redacted_thinking', data: token };
  const text = { type: 'text', text: 'Hello' };
  const base = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm/one' };
  const content = [thinking, redacted, text];
  const message = { ...base, content, stop_reason: 'end_turn', stop_sequence: null, usage };
  if (stream !== true) {
    sendJson(response, message);
    return;
  }
  const half = token.length / 2;
  sendEvents(response, [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    start(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
    delta(0, { type: 'signature_delta', signature: token.slice(0, half) }),
    delta(0, { type: 'signature_delta', signature: token.slice(half) }),
    { type: 'content_block_stop', index: 0 },
    start(1, redacted),
    { type: 'content_block_stop', index: 1 },
    start(2, { type: 'text', text: '' }),
    delta(2, { type: 'text_delta', text: 'Hello' }),
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}

const start = (index: number, block: Fields) =>
  ({ type: 'content_block_start', index, content_block: block }) as const;
const delta = (index: number, piece: Fields) =>
  ({ type: 'content_block_delta', index, delta: piece }) as const;

function sendJson(response: ServerResponse, body: Fields): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendEvents(
  response: ServerResponse,
  events: readonly (Fields & Readonly<{ type: string }>)[],
): void {
  response.writeHead(200, eventStream);
  for (const event of events) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}
