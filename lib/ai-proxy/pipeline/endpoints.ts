import { readChatRequest } from '../protocols/chat/read-request.ts';
import { readChatResult } from '../protocols/chat/read-result.ts';
import { createChatRelay } from '../protocols/chat/relay.ts';
import {
  type ResponsesRequest,
  readResponsesRequest,
  toNativeBody,
} from '../protocols/responses/read-request.ts';
import { readResponsesResult } from '../protocols/responses/read-result.ts';
import { createResponsesRelay } from '../protocols/responses/relay.ts';
import type { ResponseIdentity } from '../protocols/responses/response-object.ts';
import { toChatRequest } from '../protocols/responses-over-chat/to-chat-request.ts';
import { toResponse } from '../protocols/responses-over-chat/to-response.ts';
import {
  createResponsesTranslator,
  type TranslatorOptions,
} from '../protocols/responses-over-chat/translator.ts';
import { chooseProtocol } from '../upstreams/protocols.ts';
import type { Endpoint, Exchange } from './generation.ts';
import { newId, randomHex, toSeconds } from './new-id.ts';

/** @param now Unix time in ms. */
export function createChatEndpoint(now: () => number): Endpoint {
  return {
    name: 'chat.completions',
    modelKind: 'language',
    read(body) {
      const request = readChatRequest(body);
      const { model, includeUsage, promptTokensEstimate } = request;
      const identity = {
        id: `chatcmpl-${randomHex()}`,
        created: toSeconds(now()),
        ...{ model, promptTokensEstimate },
      };
      return {
        ...request,
        toExchange: (target) => ({
          path: '/chat/completions',
          body: JSON.stringify({ ...request.sent, model: target.model }),
          toResult: (text) => readChatResult(text, identity),
          createRelay: () => createChatRelay({ ...identity, includeUsage }),
        }),
      };
    },
  };
}

/** Passed on where the target supports Responses, else translated to Chat Completions. */
export function createResponsesEndpoint(now: () => number): Endpoint {
  return {
    name: 'responses',
    modelKind: 'language',
    read(body) {
      const request = readResponsesRequest(body);
      const identity = { id: newId('resp'), createdAt: toSeconds(now()) };
      return {
        ...request,
        toExchange: ({ model, protocols }) =>
          chooseProtocol('responses', protocols) === 'responses'
            ? toNativeResponses(request, model, identity)
            : toTranslatedResponses(request, model, {
                ...{ ...identity, newId },
                now: () => toSeconds(now()),
              }),
      };
    },
  };
}

function toNativeResponses(
  request: ResponsesRequest,
  model: string,
  identity: ResponseIdentity,
): Exchange {
  return {
    path: '/responses',
    body: toNativeBody(request, model),
    toResult: (text) => readResponsesResult(text, request, identity),
    createRelay: () => createResponsesRelay(request, identity),
  };
}

function toTranslatedResponses(
  request: ResponsesRequest,
  model: string,
  options: TranslatorOptions,
): Exchange {
  const { id, createdAt: created } = options;
  const { promptTokensEstimate } = request;
  const chat = { id, created, model: request.model, promptTokensEstimate };
  return {
    path: '/chat/completions',
    body: JSON.stringify({ ...toChatRequest(request, { maxTokensField: 'max_tokens' }), model }),
    toResult: (text) => toResponse(readChatResult(text, chat), request, options),
    createRelay: () => createResponsesTranslator(request, options),
  };
}
