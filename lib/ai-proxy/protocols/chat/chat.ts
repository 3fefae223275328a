import { toJsonArray } from '#lib/http/json-value.ts';
import { type ModelEndpoint, newCallId, newId, sendAsChat } from '../model-request.ts';
import { requireProtocol } from '../protocol.ts';
import { chatEndpoint } from './chat-endpoint.ts';
import { createChatRelay } from './chat-relay.ts';
import { readChatRequest } from './chat-request.ts';
import { readChatResult } from './chat-result.ts';

export const chat: ModelEndpoint = {
  ...chatEndpoint.generation,
  read(body, now) {
    const request = readChatRequest(body);
    const { includeUsage, promptTokensEstimate } = request;
    const identity = {
      id: newId('chatcmpl', '-'),
      created: now(),
      model: request.model,
      promptTokensEstimate,
      newCallId,
      hasTools: toJsonArray(body.tools).length > 0,
    };
    return {
      ...request,
      toExchange(target, bound) {
        requireProtocol('chat', target.protocols);
        const isOwnBound = bound.outputTokensMax === request.outputTokensMax;
        const added = isOwnBound ? request.added : ([...request.added, 'max_tokens'] as const);
        return {
          ...sendAsChat(request.sent, { dialect: 'chat', added }, { ...target, bound }),
          toResult: (text) => readChatResult(text, { ...identity, isPlain: true }),
          createRelay: () => createChatRelay({ ...identity, includeUsage }),
        };
      },
    };
  },
};
