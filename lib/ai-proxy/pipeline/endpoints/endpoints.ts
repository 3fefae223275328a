import { randomUUIDv7 } from 'node:crypto';
import { HttpError } from '#lib/http/errors/errors.ts';
import { toJsonArray } from '#lib/http/json-value.ts';
import { toOwnParam } from '../../protocols/chat/own-param.ts';
import type { ReplyBound } from '../../protocols/chat/read-request.ts';
import { boundReply, readChatRequest } from '../../protocols/chat/read-request.ts';
import { readChatResult } from '../../protocols/chat/read-result.ts';
import { createChatRelay } from '../../protocols/chat/relay.ts';
import { writeJson } from '../../protocols/json/source-text.ts';
import {
  type ResponsesRequest,
  readResponsesRequest,
  toAddedFields,
  toNativeBody,
} from '../../protocols/responses/read-request.ts';
import { readResponsesResult } from '../../protocols/responses/read-result.ts';
import { createResponsesRelay } from '../../protocols/responses/relay.ts';
import type { ResponseIdentity } from '../../protocols/responses/response-object.ts';
import { createToClientItem } from '../../protocols/responses-over-chat/native-item.ts';
import { toChatRequest, toOrigins } from '../../protocols/responses-over-chat/to-chat-request.ts';
import {
  createResponsesTranslator,
  type TranslatorOptions,
  toResponse,
} from '../../protocols/responses-over-chat/translator.ts';
import { changeRequest } from '../../quirks/quirks.ts';
import { isTranslated, type TypedRequest } from '../../quirks/types.ts';
import type { Protocol, Protocols } from '../../upstreams/upstream-settings.ts';
import type { Endpoint, Exchange, ExchangeTarget } from '../generation.ts';

/** @param now Unix time in ms. */
export function createChatEndpoint(now: () => number): Endpoint {
  return {
    name: 'chat.completions',
    protocol: 'chat',
    modelKind: 'language',
    read(body) {
      const request = readChatRequest(body);
      const { includeUsage, promptTokensEstimate } = request;
      const identity = {
        id: `chatcmpl-${randomHex()}`,
        created: toSeconds(now()),
        model: request.model,
        promptTokensEstimate,
        newCallId,
        hasTools: toJsonArray(body.tools).length > 0,
      };
      return {
        ...request,
        toExchange({ model, protocols, limits }, bound) {
          requireProtocol('chat', protocols);
          const isOwnBound = bound.outputTokensMax === request.outputTokensMax;
          const added = isOwnBound ? request.added : ([...request.added, 'max_tokens'] as const);
          const sent = { dialect: 'chat', added } as const;
          const bounded = boundReply(request.sent, bound);
          return {
            sent,
            path: '/chat/completions',
            body: writeJson({ ...changeRequest(bounded, sent, limits), model }),
            toResult: (text) => readChatResult(text, { ...identity, isPlain: true }),
            createRelay: () => createChatRelay({ ...identity, includeUsage }),
          };
        },
      };
    },
  };
}

/** Passed on where the target supports Responses, else translated to Chat Completions. */
export function createResponsesEndpoint(now: () => number): Endpoint {
  return {
    name: 'responses',
    protocol: 'responses',
    modelKind: 'language',
    read(body) {
      const request = readResponsesRequest(body);
      const identity = { id: newId('resp'), createdAt: toSeconds(now()) };
      return {
        ...request,
        choices: 1,
        toExchange: (target, bound) =>
          chooseProtocol('responses', request, target) === 'responses'
            ? toNativeResponses(request, { ...target, bound }, identity)
            : toTranslatedResponses(
                request,
                { ...target, bound },
                { ...identity, newId, now: () => toSeconds(now()), reasoning: target.reasoning },
              ),
      };
    },
  };
}

/** Where a request goes, and the bound that it gets. */
export type Sending = ExchangeTarget & Readonly<{ bound: ReplyBound }>;

function toNativeResponses(
  request: ResponsesRequest,
  { bound: { outputTokensMax }, ...target }: Sending,
  identity: ResponseIdentity,
): Exchange {
  const toClientItem = createToClientItem(request, target.reasoning);
  const sent = { dialect: 'responses', added: toAddedFields(request) } as const;
  return {
    sent,
    path: '/responses',
    body: toNativeBody(request, { ...target, outputTokensMax, sent }),
    toResult: (text) => readResponsesResult(text, request, { ...identity, toClientItem }),
    createRelay: () => createResponsesRelay(request, identity, toClientItem),
  };
}

function toTranslatedResponses(
  request: ResponsesRequest,
  { model, bound, limits }: Sending,
  options: TranslatorOptions,
): Exchange {
  const { id, createdAt: created, reasoning } = options;
  const { promptTokensEstimate } = request;
  const chat = { id, created, model: request.model, promptTokensEstimate, newCallId };
  const sent = { dialect: 'translated' } as const;
  const bounded = boundReply(toChatRequest({ ...request, reasoning }), bound);
  return {
    sent,
    path: '/chat/completions',
    body: writeJson({ ...changeRequest(bounded, sent, limits), model }),
    toOwnParam: (param) => toOwnParam(param, toOrigins(request)),
    toResult: (text) => toResponse(readChatResult(text, chat), request, options),
    createRelay: () => createResponsesTranslator(request, options),
  };
}

/** The `createRelay` of an endpoint whose schema rejects streams. */
export function neverStreamed(): never {
  throw new TypeError('This endpoint has no stream.');
}

/** A random id with a prefix: `msg_…`. Ids ascend with time, which makes the ledger's index of replies cheaper. */
export function newId(prefix: string): string {
  return `${prefix}_${randomHex()}`;
}

/** For a call that its upstream gave none. */
function newCallId(): string {
  return newId('call');
}

// It uses pooled random bytes: calling randomBytes() costs 12 µs each time.
function randomHex(): string {
  return randomUUIDv7().replaceAll('-', '');
}

export function toSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}

/**
 * In which protocol to call an upstream: the client’s own if it speaks that, and has not rejected what is in the request,
 * else translated to chat. @throws HttpError 404 if it speaks neither
 */
export function chooseProtocol(
  own: Protocol,
  request: TypedRequest,
  target: ExchangeTarget,
): Protocol {
  const { protocols, limits } = target;
  const isAvoided = protocols.has('chat') && isTranslated(request, limits);
  if (protocols.has(own) && !isAvoided) return own;
  return requireProtocol('chat', protocols, protocolNames[own]);
}

/** @throws HttpError 404 if an upstream does not speak a protocol */
export function requireProtocol(
  protocol: Protocol,
  spoken: Protocols,
  name = protocolNames[protocol],
): Protocol {
  if (spoken.has(protocol)) return protocol;
  throw new HttpError(404, {
    code: 'model_not_found',
    param: 'model',
    message: `The service behind this model does not support ${name}: choose another model, or another endpoint.`,
    reason: 'no target speaks the protocol',
  });
}

const protocolNames: Readonly<Record<Protocol, string>> = {
  chat: 'Chat Completions',
  responses: 'Responses',
  messages: 'Messages',
  embeddings: 'Embeddings',
};
