import { HttpError } from '#lib/http/errors/errors.ts';
import { estimateContentTokens } from '#lib/spend/usage/estimate-tokens.ts';
import { readResponsesUsage } from '#lib/spend/usage/read-usage.ts';
import { UpstreamFailure } from '../../upstreams/errors/upstream-failure.ts';
import { readChatResult } from '../chat/chat-result.ts';
import { toOwnParam } from '../chat/own-param.ts';
import { writeJson } from '../json/source-text.ts';
import {
  chooseProtocol,
  type Exchange,
  type ModelEndpoint,
  neverStreamed,
  newCallId,
  newId,
  type Sending,
  sendAsChat,
} from '../model-request.ts';
import { readResult } from '../read-result.ts';
import type { ReasoningMark } from '../reasoning-mark.ts';
import { createToClientItem } from '../responses-over-chat/chat-tools.ts';
import { toChatRequest, toOrigins } from '../responses-over-chat/to-chat-request.ts';
import {
  createResponsesTranslator,
  type TranslatorOptions,
  toResponse,
} from '../responses-over-chat/translator.ts';
import type { ResponseIdentity } from './response-object.ts';
import { readResponsesResult, withClientItems } from './response-object.ts';
import { compactEndpoint, inputTokensEndpoint, responsesEndpoint } from './responses-endpoint.ts';
import { createResponsesRelay } from './responses-relay.ts';
import {
  type ResponsesRequest,
  readResponsesRequest,
  toAddedFields,
  toNativeBody,
  toStatelessBody,
} from './responses-request.ts';

/** Passed on where the target supports Responses, else translated to Chat Completions. */
export const responses: ModelEndpoint = {
  ...responsesEndpoint.generation,
  read(body, now) {
    const request = readResponsesRequest(body);
    const identity = { id: newId('resp'), createdAt: now() };
    return {
      ...request,
      choices: 1,
      toExchange: (target, bound) =>
        chooseProtocol('responses', request, target) === 'responses'
          ? toNativeResponses(request, { ...target, bound }, identity)
          : toTranslatedResponses(
              request,
              { ...target, bound },
              { ...identity, newId, now, reasoning: target.reasoning },
            ),
    };
  },
};

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
  sending: Sending,
  options: TranslatorOptions,
): Exchange {
  const { id, createdAt: created, reasoning } = options;
  const { promptTokensEstimate } = request;
  const chat = { id, created, model: request.model, promptTokensEstimate, newCallId };
  return {
    ...sendAsChat(toChatRequest({ ...request, reasoning }), { dialect: 'translated' }, sending),
    toOwnParam: (param) => toOwnParam(param, toOrigins(request)),
    toResult: (text) => toResponse(readChatResult(text, chat), request, options),
    createRelay: () => createResponsesTranslator(request, options),
  };
}

const noTokens = { promptTokensEstimate: 0, outputTokensMin: 0, outputTokensMax: 0 };

/** Makes a conversation shorter. */
export const compact = createNativeOnly(compactEndpoint, '/responses/compact');

/** Counts the tokens of an input. */
export const inputTokens = createNativeOnly(inputTokensEndpoint, '/responses/input_tokens');

type NativeOnlyEndpoint = typeof compactEndpoint | typeof inputTokensEndpoint;

function createNativeOnly(
  { generation }: NativeOnlyEndpoint,
  path: Exchange['path'],
): ModelEndpoint {
  // The model generates, which costs tokens.
  const isGenerated = generation === compactEndpoint.generation;
  return {
    ...generation,
    read(body) {
      const request = readResponsesRequest(body);
      return {
        ...request,
        ...(!isGenerated && noTokens),
        isStream: false,
        includesCost: false,
        isFree: !isGenerated,
        choices: 1,
        toExchange({ model, protocols, reasoning }) {
          if (!protocols.has('responses')) throw createMissingError(path);
          return {
            sent: { dialect: 'responses' },
            path,
            body: writeJson(toStatelessBody(request, { model, reasoning })),
            toResult: (text) => readNativeOnlyResult(text, request, { isGenerated, reasoning }),
            createRelay: neverStreamed,
          };
        },
      };
    },
    toOwnError: (error) => toMissingError(error, path),
  };
}

function readNativeOnlyResult(
  text: string,
  request: ResponsesRequest,
  { isGenerated, reasoning }: Readonly<{ isGenerated: boolean; reasoning: ReasoningMark }>,
): ReturnType<Exchange['toResult']> {
  const read = readResult(text, {
    promptTokensEstimate: request.promptTokensEstimate,
    readUsage: readResponsesUsage,
    estimateReply: ({ output }) => estimateContentTokens(output),
    toResult: (reply) => withClientItems(reply, createToClientItem(request, reasoning)),
  });
  return isGenerated ? read : { ...read, usage: null };
}

/** An upstream lacks the endpoint, whatever its own error said. */
function toMissingError(error: unknown, path: string): HttpError | null {
  const isMissing =
    error instanceof UpstreamFailure && [404, 405].includes(error.upstreamStatus ?? 0);
  return isMissing ? createMissingError(path) : null;
}

function createMissingError(path: string): HttpError {
  return new HttpError(404, {
    code: 'unknown_url',
    message: `The service behind this model has no ${path}. Do without it: shorten the conversation yourself, or send it as it is.`,
  });
}
