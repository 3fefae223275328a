import type { ServerResponse } from 'node:http';
import { startRawUpstream } from './raw-upstream.ts';

export type CountingUpstreamOptions = Readonly<{
  /** How long replies are that nothing bounds. */
  replyTokens: number;
  /** Whether `max_tokens` and `max_output_tokens` bound a reply. */
  isObedient?: boolean;
  /** Tokens of one event, at once. */
  tokensPerEvent?: number;
  /** What goes wrong with a request; by default nothing. */
  nextFault?: (request: ModelRequest) => Fault | null;
}>;

/** Longer than clients of tests wait. */
const hangMs = 1500;

/** It rejects a request, breaks off in the middle, sends no usage, or is silent after it has read the prompt. */
export type Fault = 'reject' | 'cut' | 'no-usage' | 'hang';

type ModelRequest = Readonly<{
  user?: string;
  messages?: readonly Readonly<{ content?: string }>[];
  stream?: boolean;
  n?: number;
  max_tokens?: number;
  max_completion_tokens?: number;
}>;

/** Four bytes, and one token. */
const token = ' abc';

/** An upstream with chat completions that counts what it spends, as a vendor's invoice does. Its lists are missing. */
export async function startCountingUpstream(options: CountingUpstreamOptions) {
  const { replyTokens, isObedient = true, tokensPerEvent = 1, nextFault = () => null } = options;
  const spent = { promptTokens: 0, replyTokens: 0 };
  const requests: ModelRequest[] = [];

  async function respond(response: ServerResponse, request: ModelRequest): Promise<void> {
    const { n = 1, stream = false } = request;
    const fault = nextFault(request);
    if (fault === 'reject') {
      response.writeHead(503).end();
      return;
    }
    const bounds = [request.max_tokens, request.max_completion_tokens].filter(isNumber);
    const bound = bounds.length === 0 ? replyTokens : Math.max(...bounds);
    const length = isObedient ? Math.min(bound, replyTokens) : replyTokens;
    const prompt = (request.messages ?? []).map(({ content = '' }) => content).join('');
    const promptTokens = Math.ceil(prompt.length / 4);
    const usage = { prompt_tokens: promptTokens, completion_tokens: length * n };
    spent.promptTokens += promptTokens;
    requests.push(request);
    if (fault === 'hang') {
      setTimeout(() => response.destroy(), hangMs);
      return;
    }
    const choices = Array.from({ length: n }, (_, index) => index);
    const finish = length < replyTokens ? 'length' : 'stop';
    if (!stream) {
      spent.replyTokens += length * n;
      const message = { role: 'assistant', content: token.repeat(length) };
      const body = { choices: choices.map((index) => ({ index, message, finish_reason: finish })) };
      const text = JSON.stringify({ ...body, ...(fault !== 'no-usage' && { usage }) });
      response.writeHead(200, { 'content-type': 'application/json' });
      if (fault === 'cut') response.write(text.slice(0, -9), () => response.destroy());
      else response.end(text);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let sent = 0; sent < length && !response.destroyed; sent += tokensPerEvent) {
      const count = Math.min(tokensPerEvent, length - sent);
      for (const index of choices) {
        spent.replyTokens += count;
        const delta = { role: 'assistant', content: token.repeat(count) };
        write(response, { choices: [{ index, delta, finish_reason: null }] });
      }
      await new Promise(setImmediate);
      if (fault === 'cut' && sent > length / 2) response.destroy();
    }
    if (response.destroyed) return;
    write(response, {
      choices: choices.map((index) => ({ index, delta: {}, finish_reason: finish })),
    });
    if (fault !== 'no-usage') write(response, { choices: [], usage });
    response.end('data: [DONE]\n\n');
  }

  const upstream = await startRawUpstream((response, { method }, body) => {
    if (method === 'GET') response.writeHead(404).end();
    else void respond(response, JSON.parse(body));
  });
  return { ...upstream, spent, requests };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function write(response: ServerResponse, chunk: object): void {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
  response.write(`data: ${JSON.stringify({ ...head, ...chunk })}\n\n`);
}
