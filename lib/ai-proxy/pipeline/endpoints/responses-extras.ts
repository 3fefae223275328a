import { HttpError, isHttpError } from '#lib/http/errors/errors.ts';
import { estimateContentTokens } from '#lib/spend/usage/estimate-tokens.ts';
import { readResponsesUsage } from '#lib/spend/usage/usage-formats.ts';
import { writeJson } from '../../protocols/json/source-text.ts';
import { readResult } from '../../protocols/read-result.ts';
import type { ReasoningMark } from '../../protocols/reasoning-mark.ts';
import {
  type ResponsesRequest,
  readResponsesRequest,
  toStatelessBody,
} from '../../protocols/responses/read-request.ts';
import { withClientItems } from '../../protocols/responses/read-result.ts';
import { createToClientItem } from '../../protocols/responses-over-chat/native-item.ts';
import type { Endpoint, Exchange } from '../generation.ts';
import { neverStreamed } from './endpoints.ts';

type Extra = Readonly<{
  name: string;
  path: Exchange['path'];
  /** Whether the model generates, which costs tokens. */
  isGenerated: boolean;
}>;

/** An endpoint that an upstream may lack. */
export type ExtraEndpoint = Endpoint & Pick<Extra, 'path'>;

/** Makes a conversation shorter; only upstreams with Responses can do it. */
export const compactEndpoint = createExtraEndpoint({
  name: 'responses.compact',
  path: '/responses/compact',
  isGenerated: true,
});

/** Counts the tokens of an input; only upstreams with Responses can do it. */
export const inputTokensEndpoint = createExtraEndpoint({
  name: 'responses.input_tokens',
  path: '/responses/input_tokens',
  isGenerated: false,
});

function createExtraEndpoint({ name, path, isGenerated }: Extra): ExtraEndpoint {
  return {
    name,
    path,
    protocol: 'responses',
    modelKind: 'language',
    read(body) {
      const request = readResponsesRequest(body);
      return {
        models: request.models,
        isStream: false,
        isFree: !isGenerated,
        promptTokensEstimate: isGenerated ? request.promptTokensEstimate : 0,
        outputTokensMin: isGenerated ? request.outputTokensMin : 0,
        outputTokensMax: isGenerated ? request.outputTokensMax : 0,
        choices: 1,
        media: request.media,
        reasoningMark: request.reasoningMark,
        toExchange({ model, protocols, reasoning }) {
          if (!protocols.has('responses')) throw createMissingError(path);
          return {
            sent: { dialect: 'responses' },
            path,
            body: writeJson(toStatelessBody(request, { model, reasoning })),
            toResult: (text) => readExtraResult(text, request, { isGenerated, reasoning }),
            createRelay: neverStreamed,
          };
        },
      };
    },
  };
}

function readExtraResult(
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

/** Reports that an upstream lacks the endpoint, whatever its own error said. */
export async function withMissingEndpoint(
  path: string,
  response: Promise<Response>,
): Promise<Response> {
  try {
    return await response;
  } catch (error) {
    const isMissing = isHttpError(error) && [404, 405].includes(error.upstreamStatus ?? 0);
    throw isMissing ? createMissingError(path) : error;
  }
}

function createMissingError(path: string): HttpError {
  return new HttpError(404, {
    code: 'unknown_url',
    message: `The service behind this model has no ${path}. Do without it: shorten the conversation yourself, or send it as it is.`,
  });
}
