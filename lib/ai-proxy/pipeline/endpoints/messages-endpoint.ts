import { noMedia } from '#lib/spend/usage/estimate-tokens.ts';
import { type FieldLimits, limitFields } from '../../protocols/chat/optional-fields.ts';
import { toOwnParam } from '../../protocols/chat/own-param.ts';
import { boundReply, type ReplyBound } from '../../protocols/chat/read-request.ts';
import { readChatResult } from '../../protocols/chat/read-result.ts';
import { writeJson } from '../../protocols/json/source-text.ts';
import {
  type MessagesRequest,
  readCountTokensRequest,
  readMessagesRequest,
  toNativeBody,
} from '../../protocols/messages/read-request.ts';
import { readCountedTokens, readMessagesResult } from '../../protocols/messages/read-result.ts';
import { createMessagesRelay } from '../../protocols/messages/relay.ts';
import { toChatRequest, toOrigins } from '../../protocols/messages-over-chat/to-chat-request.ts';
import {
  createMessagesTranslator,
  toMessage,
} from '../../protocols/messages-over-chat/translator.ts';
import type { ReasoningMark } from '../../protocols/reasoning-mark.ts';
import type { Endpoint, Exchange } from '../generation.ts';
import { chooseProtocol, neverStreamed, newId, toSeconds } from './endpoints.ts';

/** Messages: forwarded to an upstream that has them, else translated to Chat Completions. */
export function createMessagesEndpoint(now: () => number): Endpoint {
  return {
    name: 'messages',
    protocol: 'messages',
    modelKind: 'language',
    read(body) {
      const request = readMessagesRequest(body);
      const id = newId('msg');
      return {
        ...request,
        choices: 1,
        toExchange: ({ model, protocols, limits, reasoning }, bound) =>
          chooseProtocol('messages', protocols) === 'messages'
            ? toNativeMessages(request, { model, bound, limits, reasoning }, id)
            : toTranslatedMessages(
                request,
                { model, bound, limits, reasoning },
                { id, created: toSeconds(now()) },
              ),
      };
    },
  };
}

/** What the upstream gets in place of the client's own values. */
type Replaced = Readonly<{ model: string; bound: ReplyBound }>;

function toNativeMessages(
  request: MessagesRequest,
  {
    bound: { outputTokensMax },
    ...target
  }: Replaced & Readonly<{ limits: FieldLimits; reasoning: ReasoningMark }>,
  id: string,
): Exchange {
  const { reasoning } = target;
  return {
    path: '/messages',
    body: toNativeBody(request, { ...target, outputTokensMax }),
    added: ['later_system'],
    toResult: (text) => readMessagesResult(text, request, { id, reasoning }),
    createRelay: () => createMessagesRelay(request, { id, reasoning }),
  };
}

function toTranslatedMessages(
  request: MessagesRequest,
  {
    model,
    bound,
    limits,
    reasoning,
  }: Replaced & Readonly<{ limits: FieldLimits; reasoning: ReasoningMark }>,
  identity: Readonly<{ id: string; created: number }>,
): Exchange {
  const { promptTokensEstimate } = request;
  const newCallId = () => newId('toolu');
  const chat = { ...identity, model: request.model, promptTokensEstimate, newCallId };
  const options = { id: identity.id, newId, reasoning };
  return {
    path: '/chat/completions',
    body: writeJson({
      ...boundReply(limitFields(toChatRequest({ ...request, reasoning }), limits), bound),
      model,
    }),
    added: 'all',
    toOwnParam: (param) => toOwnParam(param, toOrigins(request)),
    toResult: (text) => toMessage(readChatResult(text, chat), request, options),
    createRelay: () => createMessagesTranslator(request, options),
  };
}

/** Counting a prompt’s tokens, by the upstream or as an estimate. It costs nothing. */
export function createCountTokensEndpoint(): Endpoint {
  return {
    name: 'messages.count_tokens',
    protocol: 'messages',
    modelKind: 'language',
    read(body) {
      const request = readCountTokensRequest(body);
      const { promptTokensEstimate } = request;
      return {
        ...request,
        isFree: true,
        promptTokensEstimate: 0,
        outputTokensMin: 0,
        outputTokensMax: 0,
        choices: 1,
        media: noMedia,
        toExchange: ({ model, protocols, limits, reasoning }) =>
          protocols.has('messages')
            ? toNativeCount(request, { model, limits, reasoning })
            : { result: { input_tokens: promptTokensEstimate } },
      };
    },
  };
}

function toNativeCount(
  request: MessagesRequest,
  target: Readonly<{ model: string; limits: FieldLimits; reasoning: ReasoningMark }>,
): Exchange {
  return {
    path: '/messages/count_tokens',
    added: ['later_system'],
    body: toNativeBody(request, { ...target, outputTokensMax: null }),
    toResult: readCountedTokens,
    createRelay: neverStreamed,
  };
}
