import {
  isJsonObject,
  type JsonObject,
  parseJsonObject,
  toJsonObject,
} from '#lib/http/json-value.ts';
import { readChatUsage, type TokenUsage, toEstimatedUsage } from '#lib/spend/usage/token-usage.ts';
import { createGarbageFailure, toUpstreamFailure } from '../../stream/upstream-failure.ts';
import type { EmbeddingsRequest } from './read-request.ts';

/**
 * Reads an upstream's Embeddings response, and converts the vectors where it ignored the requested encoding.
 * @throws HttpError if it contains an error in spite of its status 200, or not one vector for each input.
 */
export function readEmbeddingsResult(
  text: string,
  request: EmbeddingsRequest,
): Readonly<{ result: JsonObject; usage: TokenUsage }> {
  const given = parseJsonObject(text);
  if (given === null) throw createGarbageFailure();
  const { error, ...rest } = given;
  if (error !== undefined && error !== null) throw toUpstreamFailure(error);
  if (!Array.isArray(given.data) || given.data.length !== request.inputCount) {
    throw createGarbageFailure();
  }
  const data = given.data.map((item, index) => repairItem(item, index, request.encodingFormat));
  const usage = readChatUsage(given.usage) ?? toEstimatedUsage(request.promptTokensEstimate, 0);
  const total = usage.inputTokens + usage.outputTokens;
  return {
    usage,
    result: {
      ...rest,
      object: 'list',
      data,
      model: typeof given.model === 'string' && given.model !== '' ? given.model : request.model,
      usage: {
        ...toJsonObject(given.usage),
        prompt_tokens: usage.inputTokens,
        total_tokens: total,
      },
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
  if (Array.isArray(embedding) && embedding.every((one) => typeof one === 'number')) {
    return embedding;
  }
  if (typeof embedding !== 'string') throw createGarbageFailure();
  const bytes = Buffer.from(embedding, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) throw createGarbageFailure();
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}
