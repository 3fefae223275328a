import type { JsonObject } from '#lib/http/json-value.ts';
import { noMedia } from '#lib/spend/usage/estimate-tokens.ts';
import { countTokensPath } from '../../quirks/messages-api.ts';
import { readChatResult } from '../chat/chat-result.ts';
import { toOwnParam } from '../chat/own-param.ts';
import { toChatRequest, toOrigins } from '../messages-over-chat/to-chat-request.ts';
import { createMessagesTranslator, toMessage } from '../messages-over-chat/translator.ts';
import {
  chooseProtocol,
  type Exchange,
  type ExchangeTarget,
  type ModelEndpoint,
  neverStreamed,
  newId,
  type Sending,
  sendAsChat,
} from '../model-request.ts';
import { countTokensEndpoint, messagesEndpoint } from './messages-endpoint.ts';
import { createMessagesRelay } from './messages-relay.ts';
import {
  type MessagesRequest,
  readCountTokensRequest,
  readMessagesRequest,
  toNativeBody,
} from './messages-request.ts';
import { readCountedTokens, readMessagesResult } from './messages-result.ts';

/** Messages: forwarded to an upstream that has them, else translated to Chat Completions. */
export const messages: ModelEndpoint = {
  ...messagesEndpoint.generation,
  read(body, now) {
    const request = readMessagesRequest(body);
    const id = newId('msg');
    return {
      ...request,
      choices: 1,
      toExchange: (target, bound) =>
        chooseProtocol('messages', request, target) === 'messages'
          ? toNativeMessages(request, { ...target, bound }, id)
          : toTranslatedMessages(request, { ...target, bound }, { id, created: now() }),
    };
  },
};

function toNativeMessages(
  request: MessagesRequest,
  { bound: { outputTokensMax }, ...target }: Sending,
  id: string,
): Exchange {
  const { reasoning } = target;
  return {
    sent: { dialect: 'messages' },
    path: '/messages',
    body: toNativeBody(request, { ...target, outputTokensMax }),
    toResult: (text) => readMessagesResult(text, request, { id, reasoning }),
    createRelay: () => createMessagesRelay(request, { id, reasoning }),
  };
}

function toTranslatedMessages(
  request: MessagesRequest,
  sending: Sending,
  identity: Readonly<{ id: string; created: number }>,
): Exchange {
  const { promptTokensEstimate } = request;
  const { reasoning } = sending;
  const newCallId = () => newId('toolu');
  const chat = { ...identity, model: request.model, promptTokensEstimate, newCallId };
  const options = { id: identity.id, newId, reasoning };
  return {
    ...sendAsChat(toChatRequest({ ...request, reasoning }), { dialect: 'translated' }, sending),
    toOwnParam: (param) => toOwnParam(param, toOrigins(request)),
    toResult: (text) => toMessage(readChatResult(text, chat), request, options),
    createRelay: () => createMessagesTranslator(request, options),
  };
}

/** Counting a prompt’s tokens, by the upstream, or as an estimate where it has no such endpoint. It costs nothing. */
export const countTokens: ModelEndpoint = {
  ...countTokensEndpoint.generation,
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
      toExchange(target) {
        const isCounted =
          !target.quirks.has('count_tokens') &&
          chooseProtocol('messages', request, target) === 'messages';
        const estimate = { input_tokens: promptTokensEstimate };
        return isCounted ? toNativeCount(request, target, estimate) : { result: estimate };
      },
    };
  },
};

function toNativeCount(
  request: MessagesRequest,
  target: ExchangeTarget,
  estimate: JsonObject,
): Exchange {
  return {
    sent: { dialect: 'messages' },
    path: countTokensPath,
    body: toNativeBody(request, { ...target, outputTokensMax: null }),
    toResult: (text) => readCountedTokens(text, estimate),
    createRelay: neverStreamed,
  };
}
