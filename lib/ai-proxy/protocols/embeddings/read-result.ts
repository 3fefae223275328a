import { type RejectedField, withOptions } from '#lib/http/errors/errors.ts';
import { isJsonObject, type JsonObject, toJsonObject, toText } from '#lib/http/json-value.ts';
import type { TokenUsage } from '#lib/spend/usage/token-usage.ts';
import { readChatUsage } from '#lib/spend/usage/usage-formats.ts';
import { createGarbageFailure } from '../../upstreams/errors/failure.ts';
import { parseUpstreamJson } from '../json/parse-json.ts';
import { type FailedResult, type Result, readResult } from '../read-result.ts';
import type { EmbeddingsRequest } from './read-request.ts';

/** Reads an upstream's Embeddings response, and converts the vectors where it ignored the requested encoding. */
export function readEmbeddingsResult(
  text: string,
  request: EmbeddingsRequest,
): Result | FailedResult {
  return readResult(text, {
    promptTokensEstimate: request.promptTokensEstimate,
    // Its numbers are coordinates, which mean the same however they are written.
    parse: parseUpstreamJson,
    readUsage: readChatUsage,
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
      ? withOptions(createGarbageFailure(), { isBillable: false, rejectedFields: [otherEncoding] })
      : createGarbageFailure();
  }
  const { error: _, ...rest } = reply;
  return {
    ...rest,
    object: 'list',
    data: data.map((item, index) => repairItem(item, index, request.encodingFormat)),
    model: toText(reply.model) || request.model,
    usage: {
      ...toJsonObject(reply.usage),
      prompt_tokens: usage.inputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  };
}

function repairItem(
  item: unknown,
  position: number,
  encodingFormat: EmbeddingsRequest['encodingFormat'],
): JsonObject {
  if (!isJsonObject(item)) throw createGarbageFailure();
  const { index, embedding } = item;
  return {
    ...item,
    object: 'embedding',
    index: Number.isSafeInteger(index) ? index : position,
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
