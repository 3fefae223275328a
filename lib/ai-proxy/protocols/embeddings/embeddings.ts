import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { estimateContentTokens } from '#lib/spend/usage/estimate-tokens.ts';
import { readEmbeddingsUsage } from '#lib/spend/usage/read-usage.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { changeRequest } from '../../quirks/quirks.ts';
import {
  createGarbageFailure,
  type RejectedField,
} from '../../upstreams/errors/upstream-failure.ts';
import { check, requireItems } from '../json/check.ts';
import { parseUpstreamJson } from '../json/parse-json.ts';
import { writeJson } from '../json/source-text.ts';
import { type ModelEndpoint, neverStreamed } from '../model-request.ts';
import { type RequestFields, readCommonFields, requireProtocol } from '../protocol.ts';
import { type FailedResult, type Result, readResult } from '../read-result.ts';
import {
  embeddingsEndpoint,
  embeddingsOptionsSchema,
  inputItemSchema,
  inputsMax,
  inputWords,
  textSchema,
} from './embeddings-endpoint.ts';

/** 2048 vectors of 3072 numbers as text are larger than any reply of a language model. */
const embeddingsBytesMax = 128 * 1024 * 1024;

/** Vectors for texts. There are no streams of them. */
export const embeddings: ModelEndpoint = {
  ...embeddingsEndpoint.generation,
  read(body) {
    const request = readEmbeddingsRequest(body);
    return {
      ...request,
      choices: 1,
      toExchange: ({ model, protocols, quirks }) => {
        requireProtocol('embeddings', protocols);
        const sent = { dialect: 'embeddings' } as const;
        return {
          sent,
          path: '/embeddings',
          body: writeJson({ ...changeRequest(request.sent, sent, quirks), model }),
          resultBytesMax: embeddingsBytesMax,
          toResult: (text) => readEmbeddingsResult(text, request),
          createRelay: neverStreamed,
        };
      },
    };
  },
};

/** Reads an Embeddings request. @throws HttpError 400 whose `param` is the first invalid field. */
export function readEmbeddingsRequest(body: JsonObject): EmbeddingsRequest {
  const options = check(embeddingsOptionsSchema, body);
  const { usage: _, ...sent } = body;
  const inputs = readInputs(sent.input);
  return {
    ...readCommonFields(body, { ...options, models: [] }),
    inputCount: inputs.length,
    encodingFormat: options.encoding_format ?? 'float',
    outputTokensMin: 0,
    outputTokensMax: 0,
    promptTokensEstimate: inputs.reduce<number>((sum, input) => sum + estimateInput(input), 0),
    sent,
  };
}

/** An array of numbers is one input: its tokens. */
function readInputs(input: unknown): readonly unknown[] {
  if (typeof input === 'string') return [check(textSchema, input, ['input'])];
  if (typeof toJsonArray(input)[0] === 'number') return [check(inputItemSchema, input, ['input'])];
  const items = requireItems(input, 'input', { noun: 'input', list: inputWords, max: inputsMax });
  for (const [index, item] of items.entries()) check(inputItemSchema, item, ['input', index]);
  return items;
}

function estimateInput(input: unknown): number {
  const isTokens = Array.isArray(input) && typeof input[0] === 'number';
  return isTokens ? input.length : estimateContentTokens(input);
}

/** A validated Embeddings request. */
export type EmbeddingsRequest = RequestFields &
  Readonly<{
    model: string;
    /** The number of embeddings in the result. */
    inputCount: number;
    encodingFormat: 'float' | 'base64';
    /** The body for the upstream. */
    sent: JsonObject;
  }>;

/** Reads an upstream's Embeddings response, and converts the vectors where it ignored the requested encoding. */
export function readEmbeddingsResult(
  text: string,
  request: EmbeddingsRequest,
): Result | FailedResult {
  return readResult(text, {
    promptTokensEstimate: request.promptTokensEstimate,
    // Its numbers are coordinates, which mean the same however they are written.
    parse: parseUpstreamJson,
    readUsage: readEmbeddingsUsage,
    estimateReply: () => 0,
    toResult: (reply, usage) => repairResult(reply, usage, request),
  });
}

/** Another encoding may work for this request. It is not learned: the reason may be another one. */
const otherEncoding: RejectedField = {
  name: 'encoding_format',
  values: [],
  isOfRequest: true,
};

/** @throws HttpError if there is not one vector for each input */
function repairResult(
  reply: JsonObject,
  usage: TokenUsage,
  request: EmbeddingsRequest,
): JsonObject {
  const { data } = reply;
  if (!Array.isArray(data) || data.length !== request.inputCount) {
    throw Array.isArray(data) && data.length === 0
      ? createGarbageFailure().with({ isBillable: false, rejectedFields: [otherEncoding] })
      : createGarbageFailure();
  }
  const { error: _, ...rest } = reply;
  return {
    ...rest,
    object: 'list',
    data: sortItems(data.map(toJsonObject)).map((item, index) =>
      repairItem(item, index, request.encodingFormat),
    ),
    model: toText(reply.model) || request.model,
    usage: {
      ...toJsonObject(reply.usage),
      prompt_tokens: usage.inputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  };
}

/** In the order of the inputs, since clients do not sort them. Items without any index are in order. */
function sortItems(items: readonly JsonObject[]): readonly JsonObject[] {
  if (items.every(({ index }) => (index ?? null) === null)) return items;
  const byIndex = new Map(items.map((item) => [item.index, item]));
  return items.map((_, index) => {
    const item = byIndex.get(index);
    if (item === undefined) throw createGarbageFailure();
    return item;
  });
}

function repairItem(
  item: JsonObject,
  index: number,
  encodingFormat: EmbeddingsRequest['encodingFormat'],
): JsonObject {
  // llama.cpp sends a list of vectors for each text, in which there is one.
  const [first, ...others] = toJsonArray(item.embedding);
  const embedding = Array.isArray(first) && others.length === 0 ? first : item.embedding;
  return {
    ...item,
    object: 'embedding',
    index,
    embedding: encodingFormat === 'base64' ? toBase64(embedding) : toFloats(embedding),
  };
}

/** Little-endian 32-bit floats, as OpenAI encodes them. */
function toBase64(embedding: unknown): string {
  if (typeof embedding === 'string') return embedding;
  const floats = Float32Array.from(toFloats(embedding));
  return Buffer.from(floats.buffer).toString('base64');
}

function toFloats(embedding: unknown): readonly number[] {
  if (Array.isArray(embedding) && embedding.every((number) => typeof number === 'number')) {
    return embedding;
  }
  if (typeof embedding !== 'string') throw createGarbageFailure();
  const bytes = Buffer.from(embedding, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) throw createGarbageFailure();
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}
