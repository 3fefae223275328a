import type { IncomingHttpHeaders } from 'node:http';
import { eventStream, startRawUpstream } from './raw-upstream.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How a service differs from OpenAI’s Chat Completions, by its documentation and its users’ reports. */
type Service = Readonly<{
  /** Where its API begins. */
  path: string;
  /** The header of the key, as it must come. */
  key: readonly [name: string, value: string];
  query?: string;
  /** What one piece of reasoning is in a delta or message. */
  toReasoning?: (text: string) => Fields;
  /** Fields that it does not know, and how it says so. */
  rejects?: Readonly<{
    fields: readonly string[];
    toBody: (field: string) => object;
    status?: number;
  }>;
  /** Further fields of a call. */
  call?: Fields;
  /** A call comes in one piece, without an index. */
  isCallWhole?: boolean;
  /** Its usage comes with the last choice, whether asked for or not. */
  hasUsageInLastChoice?: boolean;
}>;

const bearer = ['authorization', 'Bearer sk-service'] as const;
const toError = (message: string) => ({ error: { message, type: 'invalid_request_error' } });
const reasoningContent = (text: string) => ({ reasoning_content: text });
const reasoning = (text: string) => ({ reasoning: text });

export const services: Readonly<Record<string, Service>> = {
  openai: {
    path: '/v1',
    key: bearer,
    rejects: {
      fields: ['top_k', 'max_tokens'],
      toBody: (field) => ({
        error: {
          message:
            field === 'max_tokens'
              ? "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
              : `Unrecognized request argument supplied: ${field}`,
          type: 'invalid_request_error',
          param: field,
          code: 'unsupported_parameter',
        },
      }),
    },
  },
  anthropic: { path: '/v1', key: bearer },
  openrouter: {
    path: '/api/v1',
    key: bearer,
    toReasoning: (text) => ({
      reasoning: text,
      reasoning_details: [{ type: 'reasoning.text', text, index: 0 }],
    }),
  },
  azure: {
    path: '/openai/deployments/DEPLOYMENT',
    key: ['api-key', 'sk-service'],
    query: 'api-version=2024-10-21',
    rejects: {
      fields: ['stream_options', 'top_k'],
      toBody: (field) => toError(`Unrecognized request argument supplied: ${field}`),
    },
  },
  gemini: {
    path: '/v1beta/openai',
    key: bearer,
    call: { extra_content: { google: { thought_signature: 'c2lnbmF0dXJl' } } },
    isCallWhole: true,
    rejects: {
      fields: ['user', 'prompt_cache_key', 'top_k', 'seed', 'frequency_penalty', 'verbosity'],
      toBody: (field) => [
        {
          error: {
            code: 400,
            message: `Invalid JSON payload received. Unknown name "${field}": Cannot find field.`,
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    },
  },
  mistral: {
    path: '/v1',
    key: bearer,
    toReasoning: (text) => ({
      content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }],
    }),
    hasUsageInLastChoice: true,
    isCallWhole: true,
    rejects: {
      fields: ['user', 'prompt_cache_key', 'top_k', 'seed', 'verbosity', 'stream_options'],
      status: 422,
      toBody: (field) => ({
        object: 'error',
        message: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', field],
              msg: 'Extra inputs are not permitted',
            },
          ],
        },
        type: 'invalid_request_error',
      }),
    },
  },
  deepseek: { path: '/v1', key: bearer, toReasoning: reasoningContent },
  groq: {
    path: '/openai/v1',
    key: bearer,
    toReasoning: reasoning,
    rejects: {
      fields: ['prompt_cache_key', 'top_k', 'verbosity'],
      toBody: (field) => toError(`property '${field}' is unsupported`),
    },
  },
  vllm: { path: '/v1', key: bearer, toReasoning: reasoningContent },
  ollama: { path: '/v1', key: bearer, toReasoning: reasoning, isCallWhole: true },
  'llama-cpp': { path: '/v1', key: bearer, toReasoning: reasoningContent },
  'lm-studio': { path: '/v1', key: bearer, toReasoning: reasoningContent },
};

/** Calls the function `f`, after some reasoning and a text; it stops with the scope. */
export async function startService({ path, key: [header, key], query = '', ...service }: Service) {
  const requests: Fields[] = [];
  const isAllowed = (headers: IncomingHttpHeaders) => headers[header] === key;
  const upstream = await startRawUpstream((response, { method, url = '', headers }, body) => {
    const { pathname, search } = new URL(url, 'http://here');
    const respond = (status: number, json: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    if (search !== (query && `?${query}`)) return respond(404, toError('Resource not found'));
    if (!isAllowed(headers)) return respond(401, toError('no key'));
    if (method === 'GET' && pathname === `${path}/models`) return respond(200, { data: [] });
    if (pathname !== `${path}/chat/completions`) return respond(404, toError('Not found'));
    const request: Fields = JSON.parse(body);
    requests.push(request);
    const { fields = [], toBody = toError, status = 400 } = service.rejects ?? {};
    const rejected = fields.find((field) => request[field] !== undefined);
    if (rejected !== undefined) return respond(status, toBody(rejected));
    if (request.stream !== true) return respond(200, toReply(service));
    response.writeHead(200, eventStream);
    for (const chunk of toChunks(service, request)) {
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    }
    return response.end('data: [DONE]\n\n');
  });
  return { ...upstream, origin: upstream.url.slice(0, -'/v1'.length), requests };
}

const usage = { prompt_tokens: 100, completion_tokens: 12, total_tokens: 112 };
const common = { id: 'chatcmpl-1', created: 1, model: 'm' };
const argumentsText = '{"city":"Oslo"}';

function toCall({ call }: Pick<Service, 'call'>, text = argumentsText): Fields {
  return { ...call, id: 'call_1', type: 'function', function: { name: 'f', arguments: text } };
}

function toReply({ toReasoning, call }: Partial<Service>): Fields {
  const { content = [], ...thought } = toReasoning?.('wondering') ?? {};
  const parts = Array.isArray(content) ? content : [];
  const text = parts.length === 0 ? 'Hello' : [...parts, { type: 'text', text: 'Hello' }];
  const calls = [toCall({ ...(call && { call }) })];
  const message = { role: 'assistant', content: text, ...thought, tool_calls: calls };
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
  return { ...common, object: 'chat.completion', choices, usage };
}

function toChunks(service: Partial<Service>, { stream_options: options }: Fields): Fields[] {
  const { toReasoning, call, isCallWhole = false, hasUsageInLastChoice = false } = service;
  const toChunk = (delta: Fields, reason: string | null = null, more: Fields = {}) => ({
    ...common,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
    ...more,
  });
  const own = call && { call };
  const pieces = isCallWhole
    ? [{ tool_calls: [toCall({ ...own })] }]
    : [
        { tool_calls: [{ index: 0, ...toCall({ ...own }, '') }] },
        { tool_calls: [{ index: 0, function: { arguments: argumentsText.slice(0, 5) } }] },
        { tool_calls: [{ index: 0, function: { arguments: argumentsText.slice(5) } }] },
      ];
  const deltas = [
    { role: 'assistant', content: '' },
    ...(toReasoning === undefined ? [] : [toReasoning('wonder'), toReasoning('ing')]),
    { content: 'Hel' },
    { content: 'lo' },
    ...pieces,
  ];
  const last = toChunk({}, 'tool_calls', hasUsageInLastChoice ? { usage } : {});
  const isAsked = options !== undefined;
  const usages = isAsked
    ? [{ ...common, object: 'chat.completion.chunk', choices: [], usage }]
    : [];
  return [...deltas.map((delta) => toChunk(delta)), last, ...usages];
}
