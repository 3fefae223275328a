import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { startRawUpstream } from './raw-upstream.ts';
import {
  anthropicRule,
  type ConversationRule,
  geminiRule,
  lmStudioRule,
  mistralRule,
  openAiRule,
} from './stand-in/conversation-rules.ts';
import { readRequest } from './stand-in/read-request.ts';
import type { Fields, StandInReply } from './stand-in/reply.ts';
import {
  findProtocol,
  type StandInForms,
  type StandInRequest,
  sendReply,
} from './stand-in/stand-in.ts';

/** A service by its documentation and its users’ reports. */
type Service = Readonly<{
  /** Where its API begins. */
  path: string;
  /** The header of the key, as it must come. */
  key: readonly [name: string, value: string];
  query?: string;
  /** Its Messages take the key in `x-api-key` alone, with the version of their API. */
  needsVersion?: boolean;
  /** The protocols that it has, and how they differ from those of OpenAI and Anthropic. */
  forms: StandInForms;
  hasEmbeddings?: boolean;
  /** The id of its calls. */
  callId?: string;
  rule?: ConversationRule;
  /** Fields that its Chat Completions do not know, and how it says so. */
  rejects?: Readonly<{
    fields: readonly string[];
    toBody: (field: string) => object;
    status?: number;
  }>;
}>;

const bearer = ['authorization', 'Bearer sk-service'] as const;
const noSystem =
  "request.messages.1.role: Invalid discriminator value. Expected 'user' | 'assistant'";
const toError = (message: string) => ({ error: { message, type: 'invalid_request_error' } });
const reasoningContent = (text: string) => ({ reasoning_content: text });
const reasoning = (text: string) => ({ reasoning: text });

export const services: Readonly<Record<string, Service>> = {
  openai: {
    path: '/v1',
    key: bearer,
    forms: { chat: {}, responses: {} },
    hasEmbeddings: true,
    rule: openAiRule,
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
  anthropic: {
    path: '/v1',
    key: bearer,
    needsVersion: true,
    forms: { chat: {}, messages: {} },
    callId: 'toolu_01A09q90qw90lq917835lq9',
    rule: anthropicRule,
  },
  openrouter: {
    path: '/api/v1',
    key: bearer,
    forms: {
      chat: {
        toReasoning: (text) => ({
          reasoning: text,
          reasoning_details: [{ type: 'reasoning.text', text, index: 0 }],
        }),
      },
      responses: { hasReasoningText: true },
      messages: {},
    },
    hasEmbeddings: true,
    callId: 'tool_get_weather_v31GM7CftUoMaFZEmVfPq8Zx2LkT9wRb',
  },
  azure: {
    path: '/openai/v1',
    key: ['api-key', 'sk-service'],
    query: 'api-version=preview',
    forms: { chat: {}, responses: {} },
    hasEmbeddings: true,
    rejects: {
      fields: ['top_k'],
      toBody: (field) => toError(`Unrecognized request argument supplied: ${field}`),
    },
  },
  'azure-deployment': {
    path: '/openai/deployments/DEPLOYMENT',
    key: ['api-key', 'sk-service'],
    query: 'api-version=2024-10-21',
    forms: { chat: {} },
    hasEmbeddings: true,
    rejects: {
      fields: ['stream_options', 'top_k'],
      toBody: (field) => toError(`Unrecognized request argument supplied: ${field}`),
    },
  },
  gemini: {
    path: '/v1beta/openai',
    key: bearer,
    forms: {
      chat: {
        call: { extra_content: { google: { thought_signature: 'c2lnbmF0dXJl' } } },
        isCallWhole: true,
      },
    },
    hasEmbeddings: true,
    callId: 'function-call-10822033398741251391',
    rule: geminiRule,
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
    forms: {
      chat: {
        toReasoning: (text) => ({
          content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }],
        }),
        hasUsageInLastChoice: true,
        isCallWhole: true,
      },
    },
    hasEmbeddings: true,
    callId: 'D681PevKs',
    rule: mistralRule,
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
  deepseek: { path: '/v1', key: bearer, forms: { chat: { toReasoning: reasoningContent } } },
  'deepseek-messages': {
    path: '/anthropic/v1',
    key: ['x-api-key', 'sk-service'],
    forms: { messages: { wantsThinking: true } },
  },
  groq: {
    path: '/openai/v1',
    key: bearer,
    forms: { chat: { toReasoning: reasoning }, responses: { hasReasoningText: true } },
    // Of Kimi.
    callId: 'functions.f:0',
    rejects: {
      fields: ['prompt_cache_key', 'top_k', 'verbosity'],
      toBody: (field) => toError(`property '${field}' is unsupported`),
    },
  },
  vllm: {
    path: '/v1',
    key: bearer,
    forms: {
      chat: { toReasoning: (text) => ({ ...reasoning(text), ...reasoningContent(text) }) },
      responses: { hasReasoningText: true },
      messages: { lacksSignature: true },
    },
    hasEmbeddings: true,
    callId: 'chatcmpl-tool-9c8b7a6d5e4f30211203f4e5d6a7b8c9',
  },
  ollama: {
    path: '/v1',
    key: bearer,
    forms: {
      chat: { toReasoning: reasoning, isCallWhole: true },
      responses: {},
      messages: { lacksSignature: true },
    },
    hasEmbeddings: true,
  },
  'llama-cpp': {
    path: '/v1',
    key: bearer,
    forms: {
      chat: { toReasoning: reasoningContent },
      responses: { hasReasoningText: true, lacksNumbers: true },
      messages: { lacksSignature: true },
    },
    hasEmbeddings: true,
  },
  'lm-studio': {
    path: '/v1',
    key: bearer,
    forms: {
      chat: { toReasoning: reasoningContent },
      responses: { hasReasoningText: true },
      messages: { lacksSignature: true, rejectsSystem: noSystem },
    },
    hasEmbeddings: true,
    rule: lmStudioRule,
  },
};

/** The id of the calls of a service. */
export function callIdOf({ name }: Readonly<{ name: string }>): string {
  return services[name]?.callId ?? usualCallId;
}

const usualCallId = 'call_1';

/** Calls a function after some reasoning and a text, then replies to its result; it stops with the scope. */
export async function startService(service: Service) {
  const { path, query = '' } = service;
  const requests: StandInRequest[] = [];
  const upstream = await startRawUpstream((response, { method, url = '', headers }, body) => {
    const { pathname, search } = new URL(url, 'http://here');
    const respond = (status: number, json: unknown) => sendJson(response, status, json);
    if (search !== (query && `?${query}`)) return respond(404, toError('Resource not found'));
    const endpoint = pathname.slice(path.length);
    const problem = findHeaderProblem(service, endpoint, headers);
    if (problem !== null) return respond(401, toError(problem));
    if (method === 'GET' && endpoint === '/models') return respond(200, { data: [] });
    if (endpoint === '/embeddings' && service.hasEmbeddings) return respond(200, vectors);
    const protocol = findProtocol(endpoint);
    const forms = protocol === null ? undefined : service.forms[protocol];
    if (protocol === null || forms === undefined) return respond(404, toError('Not found'));
    const request = { protocol, body: JSON.parse(body) as Fields };
    requests.push(request);
    const rejected = findRejected(service, request);
    if (rejected !== null) return respond(...rejected);
    return sendReply(response, request, toReply(request, service), service.forms);
  });
  return { ...upstream, origin: upstream.url.slice(0, -'/v1'.length), requests };
}

function sendJson(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}

/** Anthropic’s own API wants its version with each request. */
function findHeaderProblem(
  { key: [header, value], needsVersion = false }: Service,
  endpoint: string,
  headers: IncomingHttpHeaders,
): string | null {
  const isOwn = needsVersion && endpoint !== '/chat/completions';
  if (isOwn && headers['anthropic-version'] === undefined) return 'anthropic-version: is required';
  const [name, sent] = isOwn ? ['x-api-key', 'sk-service'] : [header, value];
  return headers[name] === sent ? null : 'no key';
}

function findRejected(
  { rejects, forms, rule }: Service,
  request: StandInRequest,
): [status: number, body: object] | null {
  const { protocol, body } = request;
  const { rejectsSystem, wantsThinking = false } = forms.messages ?? {};
  if (protocol === 'messages' && wantsThinking && lacksThinking(body)) {
    return [400, toError(noThinking)];
  }
  if (protocol === 'messages' && rejectsSystem !== undefined) {
    const isTaken = !JSON.stringify(body.messages).includes('{"role":"system"');
    if (!isTaken) return [400, { type: 'error', ...toError(rejectsSystem) }];
  }
  const fields = protocol === 'chat' ? (rejects?.fields ?? []) : [];
  const field = fields.find((name) => body[name] !== undefined);
  if (field !== undefined && rejects) return [rejects.status ?? 400, rejects.toBody(field)];
  const refused = rule?.(request) ?? null;
  return refused === null ? null : [400, refused];
}

const noThinking = 'The `content[].thinking` in the thinking mode must be passed back to the API.';

function lacksThinking({ messages }: Fields): boolean {
  const turns = JSON.stringify(messages).split('{"role":');
  return turns.some((turn) => turn.includes('"tool_use"') && !turn.includes('"thinking"'));
}

const vectors = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.5] }],
  model: 'm',
  usage: { prompt_tokens: 3, total_tokens: 3 },
};

function toReply(request: StandInRequest, { callId = usualCallId }: Service): StandInReply {
  const { results, toolNames } = readRequest(request);
  if (results.length > 0) return { text: 'Done' };
  const name = String(toolNames.at(-1));
  const calls = [{ id: callId, name, input: { city: 'Oslo' } }];
  return { thinking: 'wondering', text: 'Hello', calls };
}
