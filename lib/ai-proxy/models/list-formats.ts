import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { toListedPricing } from './list-prices.ts';

/** The records of a list in any common format, in OpenRouter’s words; null for anything that is not a list. */
export function toRecords(body: unknown): readonly unknown[] | null {
  const { data, models } = toJsonObject(body);
  const records = [body, data, models].find(Array.isArray);
  return records?.map((record) => (isJsonObject(record) ? toRecord(record) : record)) ?? null;
}

/** The query of the next page; null: this was the last one. */
export function toNextPage(body: unknown): string | null {
  const { data, has_more: hasMore, last_id: lastId, nextPageToken } = toJsonObject(body);
  if (hasMore === true && typeof lastId === 'string') {
    // As OpenAI pages its lists, or Anthropic, whose records have a `type` in its place.
    const isOpenAi = toJsonObject(toJsonArray(data)[0]).object !== undefined;
    return `${isOpenAi ? 'after' : 'after_id'}=${encodeURIComponent(lastId)}`;
  }
  // Gemini
  const isMore = typeof nextPageToken === 'string' && nextPageToken !== '';
  return isMore ? `pageToken=${encodeURIComponent(nextPageToken)}` : null;
}

/** Where vendors have what OpenRouter lists under another name. */
function toRecord(record: JsonObject): JsonObject {
  const { id = record.model ?? record.name, name, top_provider: provider } = record;
  const shownName =
    record.display_name ?? record.displayName ?? (record.id === undefined ? undefined : name);
  const created = record.created ?? toSeconds(record.created_at ?? record.modified_at);
  const context = record.context_length ?? findCount(record, contextFields);
  const reply = findCount(record, replyFields);
  const isEmbedding = isOnlyEmbedding(record.supportedGenerationMethods);
  const pricing = toListedPricing(record);
  const { name: _, ...rest } = record;
  return {
    ...rest,
    // Gemini’s ids, also in its list for OpenAI’s clients; its other endpoints take them without this prefix.
    id: typeof id === 'string' ? id.replace(/^models\//, '') : id,
    ...(shownName !== undefined && { name: shownName }),
    ...(pricing !== undefined && { pricing }),
    ...(created !== undefined && { created }),
    ...(context !== undefined && { context_length: context }),
    ...(provider === undefined &&
      reply !== undefined && {
        top_provider: {
          context_length: context,
          max_completion_tokens: reply,
          is_moderated: false,
        },
      }),
    ...(isEmbedding && { type: 'embedding' }),
  };
}

/** Of Groq, vLLM, Mistral, Anthropic and Gemini. */
const contextFields = [
  'context_window',
  'max_model_len',
  'max_context_length',
  'max_input_tokens',
  'inputTokenLimit',
] as const;
/** Of Groq and Gemini. */
const replyFields = ['max_completion_tokens', 'outputTokenLimit'] as const;

function findCount(record: JsonObject, fields: readonly string[]): unknown {
  return fields.map((field) => record[field]).find((count) => Number.isSafeInteger(count));
}

function toSeconds(time: unknown): number | undefined {
  const ms = Date.parse(toText(time));
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.floor(ms / 1000);
}

function isOnlyEmbedding(methods: unknown): boolean {
  const names = toJsonArray(methods);
  return names.includes('embedContent') && !names.includes('generateContent');
}
