import { toJsonArray } from '#lib/http/json-value.ts';
import { changeRequest } from '../../quirks/quirks.ts';
import { writeJson } from '../json/source-text.ts';
import { type ModelEndpoint, newCallId, newId } from '../model-request.ts';
import { requireProtocol } from '../protocol.ts';
import { chatEndpoint } from './chat-endpoint.ts';
import { createChatRelay } from './chat-relay.ts';
import { boundReply, readChatRequest } from './chat-request.ts';
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
