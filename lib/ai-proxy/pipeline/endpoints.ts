import { randomUUID } from 'node:crypto';
import { readChatRequest } from '../protocols/chat/read-request.ts';
import { readChatResult } from '../protocols/chat/read-result.ts';
import { createChatRelay } from '../protocols/chat/relay.ts';
import { readResponsesRequest, toNativeBody } from '../protocols/responses/read-request.ts';
import { readResponsesResult } from '../protocols/responses/read-result.ts';
import { createResponsesRelay } from '../protocols/responses/relay.ts';
import { toChatRequest } from '../protocols/responses-over-chat/to-chat-request.ts';
import { toResponse } from '../protocols/responses-over-chat/to-response.ts';
import { createResponsesTranslator } from '../protocols/responses-over-chat/translator.ts';
import type { Endpoint } from './generation.ts';

/** @param now Unix time in ms. */
export function createChatEndpoint(now: () => number): Endpoint {
  return {
    name: 'chat.completions',
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
        path: '/chat/completions',
        toResult: (text) => readChatResult(text, identity),
        createRelay: () => createChatRelay({ ...identity, includeUsage }),
      };
    },
  };
}

/** For an upstream that supports Responses. */
export function createResponsesEndpoint(now: () => number): Endpoint {
  return {
    name: 'responses',
    read(body) {
      const request = readResponsesRequest(body);
      const identity = { id: newId('resp'), createdAt: toSeconds(now()) };
      return {
        ...request,
        path: '/responses',
        body: toNativeBody(request),
        toResult: (text) => readResponsesResult(text, request, identity),
        createRelay: () => createResponsesRelay(request, identity),
      };
    },
  };
}

/** For an upstream that supports only Chat Completions. */
export function createTranslatedEndpoint(now: () => number): Endpoint {
  return {
    name: 'responses',
    read(body) {
      const request = readResponsesRequest(body);
      const { model, promptTokensEstimate } = request;
      const createdAt = toSeconds(now());
      const options = {
        id: newId('resp'),
        createdAt,
        newId,
        now: () => toSeconds(now()),
      };
      const chat = { id: options.id, created: createdAt, model, promptTokensEstimate };
      return {
        ...request,
        path: '/chat/completions',
        body: JSON.stringify(toChatRequest(request, { maxTokensField: 'max_tokens' })),
        toResult: (text) => toResponse(readChatResult(text, chat), request, options),
        createRelay: () => createResponsesTranslator(request, options),
      };
    },
  };
}

function newId(prefix: string): string {
  return `${prefix}_${randomHex()}`;
}

// randomUUID() uses pooled random bytes: calling randomBytes() costs 12 µs each time.
function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}

function toSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}
