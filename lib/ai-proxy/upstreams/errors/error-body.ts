import { z } from 'zod';
import {
  isJsonObject,
  type JsonObject,
  parseJson,
  toJsonArray,
  toJsonObject,
  toText,
  withoutNulls,
} from '#lib/http/json-value.ts';

/** What upstreams report about an error, in whichever format. None of it may be shown unchanged. */
export type UpstreamError = Readonly<{
  message: string;
  code: string | null;
  status: string | null;
  type: string | null;
  param: string | null;
}>;

/** Whatever an upstream says meets hundreds of patterns, so all of it is cut here. */
const messageLengthMax = 2000;
const nameLengthMax = 200;

const message = z
  .string()
  .transform((text) => text.slice(0, messageLengthMax))
  .catch('');
const name = z
  .union([z.string(), z.number().transform(String)])
  .transform((text) => text.slice(0, nameLengthMax))
  .nullable()
  .catch(null);
const errorSchema = z.object({ message, code: name, status: name, type: name, param: name });

/** A gateway behind a gateway, and its validation. */
const levelsMax = 4;

/**
 * Reads an error body: `{error: {…}}` of OpenAI, Anthropic and most others, `{error: "…"}` of Ollama, a list of
 * one as Google sends it, `{object: "error", message}` of vLLM and Mistral, and `{detail}` of servers built on FastAPI.
 * Validation reports several errors at once; none if the body is nothing of these.
 * @param levels how many bodies within each other are read
 */
export function readErrorBody(body: unknown, levels = levelsMax): readonly UpstreamError[] {
  const first = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(first)) return [];
  const fields = toErrorFields(first);
  const within = levels === 0 ? [] : readWithin(fields ?? first, levels - 1);
  return within.length > 0 || fields === null ? within : [toError(fields)];
}

function toErrorFields(body: JsonObject): JsonObject | null {
  const { error } = body;
  if (typeof error === 'string') return { ...body, message: error };
  if (!isJsonObject(error)) return /^error$/i.test(toText(body.object)) ? body : null;
  const { raw } = toJsonObject(error.metadata);
  // OpenRouter has all that the server behind it says there.
  const saysNothing = error.message === 'Provider returned error' && typeof raw === 'string';
  return saysNothing ? { ...error, message: raw } : error;
}

/** What gateways pass on of the server behind them: its body, as JSON; or all that its validation has found. */
function readWithin(
  { metadata, detail, message }: JsonObject,
  levels: number,
): readonly UpstreamError[] {
  for (const part of [detail, toJsonObject(metadata).raw, message]) {
    const body = typeof part === 'string' ? parseJson(toOwnWords(part)) : part;
    const read = [toDetailed(body), readErrorBody(body, levels), readPlainError(body)];
    const errors = read.find(({ length }) => length > 0);
    if (errors !== undefined) return errors;
  }
  return [];
}

const delayText = String.raw`((?:\d{1,6}(?:\.\d{1,9})? ?[hms][a-z]* ?){1,3})`;
const retryText = new RegExp(`\\b(?:try again|retry) (?:in|after) ${delayText}`, 'i');
const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** When the upstream takes requests again, ms: by Google’s `details: [{retryDelay: "45.8s"}]`, or in words; null: it does not say. */
export function readRetryDelayMs(body: unknown, words = ''): number | null {
  const { error } = toJsonObject(Array.isArray(body) ? body[0] : body);
  const details = toJsonArray(toJsonObject(error).details).map(toJsonObject);
  const stated = details.map(({ retryDelay }) => `retry in ${retryDelay}`);
  const [, delay] = [...stated, words].map((text) => retryText.exec(text)).find(Boolean) ?? [];
  if (delay === undefined) return null;
  const parts = delay.toLowerCase().matchAll(/([\d.]{1,16}) ?(ms|[hms])/g);
  return parts.reduce(
    (sum, [, number, unit = '']) => sum + Number(number) * (unitsMs[unit] ?? 0),
    0,
  );
}

/** A body in none of these forms: its text, as NVIDIA, Cloudflare and servers built on FastAPI send it. */
export function readPlainError(body: unknown): readonly UpstreamError[] {
  const fields = toJsonObject(body);
  const [listed = {}] = toJsonArray(fields.errors).map(toJsonObject);
  const error = toError({ ...fields, ...listed });
  return error.message === '' ? [] : [error];
}

const detailsMax = 100;

/** Validation errors of pydantic: `[{loc: ["body", "messages", 0], msg, type}]`. */
function toDetailed(detail: unknown): readonly UpstreamError[] {
  return toJsonArray(detail)
    .slice(0, detailsMax)
    .map(toJsonObject)
    .filter(({ msg }) => typeof msg === 'string')
    .map(({ msg, type, loc }) => {
      const path = toJsonArray(loc).filter((segment) => segment !== 'body');
      return toError({ message: msg, type, param: path.join('.') });
    });
}

/**
 * What stands before a server’s own words: what gateways and SDKs write; and before those of a model’s template, in llama.cpp the
 * place in its source, in LM Studio a sentence.
 */
const beforeWords =
  /^(?:(?:litellm\.)?\w+(?:Error|Exception)(?:: | - )|The model returned the following errors: |(?:<\d{3}> )?InternalError\.Algo\.\w+: |Error from provider(?: \([\w .-]{1,40}\))?: |Upstream request failed:\s*(?:\[\w+\] )?|Engine protocol predict request returned \d{3}: \s*\{"error":\{"code":\d{3},"message":"|\s*-{4,}\s*While executing [\s\S]{0,1500}?\nError: (?:Jinja Exception: )?|Error rendering prompt with jinja template: ["']?(?:Error: )?)+/;

function toError(fields: JsonObject): UpstreamError {
  const { msg, status_msg, detail, status_code: code } = fields;
  const named = { message: msg ?? status_msg ?? detail, code, ...withoutNulls(fields) };
  const error = errorSchema.parse(named);
  return { ...error, message: toOwnWords(error.message) };
}

function toOwnWords(message: string): string {
  return message.replace(beforeWords, '').replace(/\. Received Model Group=[\s\S]*$/, '');
}
