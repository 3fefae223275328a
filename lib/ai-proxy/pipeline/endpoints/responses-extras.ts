import { HttpError, isHttpError } from '#lib/http/errors/errors.ts';
import { type JsonObject, parseJsonObject } from '#lib/http/json-value.ts';
import { estimateContentTokens } from '#lib/spend/usage/estimate-tokens.ts';
import {
  readResponsesUsage,
  type TokenUsage,
  toEstimatedUsage,
} from '#lib/spend/usage/token-usage.ts';
import {
  type ResponsesRequest,
  readResponsesRequest,
  toStatelessBody,
} from '../../protocols/responses/read-request.ts';
import { createGarbageFailure, toUpstreamFailure } from '../../stream/upstream-failure.ts';
import { isMissingEndpoint } from '../../upstreams/errors/failure.ts';
import { type Endpoint, type Exchange, neverStreamed } from '../generation.ts';

type Extra = Readonly<{
  name: string;
  path: Exchange['path'];
  /** Whether the model generates, which costs tokens. */
  isGenerated: boolean;
}>;

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

function createExtraEndpoint({ name, path, isGenerated }: Extra): Endpoint {
  return {
    name,
    modelKind: 'language',
    read(given) {
      const request = readResponsesRequest(given);
      return {
        models: request.models,
        isStream: false,
        promptTokensEstimate: isGenerated ? request.promptTokensEstimate : 0,
        outputTokensMax: isGenerated ? request.outputTokensMax : 0,
        choices: 1,
        toExchange({ model, protocols }) {
          if (!protocols.has('responses')) throw createMissingError(path);
          return {
            path,
            body: JSON.stringify(toStatelessBody(request, model)),
            toResult: (text) => readExtraResult(text, request, isGenerated),
            createRelay: neverStreamed,
          };
        },
      };
    },
  };
}

function readExtraResult(
  text: string,
  { promptTokensEstimate }: ResponsesRequest,
  isGenerated: boolean,
): Readonly<{ result: JsonObject; usage: TokenUsage }> {
  const result = parseJsonObject(text);
  if (result === null) throw createGarbageFailure();
  if ((result.error ?? null) !== null) throw toUpstreamFailure(result.error);
  if (!isGenerated) return { result, usage: toEstimatedUsage(0, 0) };
  const estimate = () =>
    toEstimatedUsage(promptTokensEstimate, estimateContentTokens(result.output));
  return { result, usage: readResponsesUsage(result.usage) ?? estimate() };
}

/** Reports that an upstream lacks the endpoint, whatever its own error said. */
export async function withMissingEndpoint(
  path: string,
  response: Promise<Response>,
): Promise<Response> {
  try {
    return await response;
  } catch (error) {
    throw isHttpError(error) && isMissingEndpoint(error) ? createMissingError(path) : error;
  }
}

function createMissingError(path: string): HttpError {
  return new HttpError(404, {
    code: 'unknown_url',
    message: `The service behind this model has no ${path}. Do without it: shorten the conversation yourself, or send it as it is.`,
  });
}
