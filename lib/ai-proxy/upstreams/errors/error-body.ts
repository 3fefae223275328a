import { z } from 'zod';
import {
  isJsonObject,
  parseJson,
  toJsonArray,
  toJsonObject,
  toText,
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
const errorSchema = z.looseObject({ message, code: name, status: name, type: name, param: name });

/**
 * Reads an error body: `{error: {…}}` of OpenAI, Anthropic and most others, `{error: "…"}` of Ollama, a list of
 * one as Google sends it, `{object: "error", message}` of vLLM and Mistral, and `{detail}` of servers built on FastAPI.
 * Validation reports several errors at once; none if the body is nothing of these.
 */
export function readErrorBody(body: unknown): readonly UpstreamError[] {
  const first = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(first)) return [];
  const { error, message, detail, object } = first;
  if (typeof error === 'string') return [toError({ ...first, message: error })];
  if (isJsonObject(error)) return orElse(readForwarded(error), error);
  if (object !== 'error') return toDetailed(detail);
  const within = typeof message === 'string' ? parseJson(message) : message;
  return orElse(toDetailed(toJsonObject(within).detail), first);
}

/** When the upstream takes requests again, ms, as Google says it: `details: [{retryDelay: "45.8s"}]`; null: it does not. */
export function readRetryDelayMs(body: unknown): number | null {
  const { error } = toJsonObject(Array.isArray(body) ? body[0] : body);
  const delays = toJsonArray(toJsonObject(error).details).map((detail) =>
    /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(toText(toJsonObject(detail).retryDelay)),
  );
  const [, seconds] = delays.find((delay) => delay !== null) ?? [];
  return seconds === undefined ? null : Number(seconds) * 1000;
}

/** A body in none of these forms: its text, as NVIDIA, Cloudflare and servers built on FastAPI send it. */
export function readPlainError(body: unknown): readonly UpstreamError[] {
  const fields = toJsonObject(body);
  const [listed = {}] = toJsonArray(fields.errors).map(toJsonObject);
  const texts = [listed.message, fields.message, fields.detail];
  const message = texts.find((found) => typeof found === 'string');
  return message === undefined ? [] : [toError({ ...fields, ...listed, message })];
}

function orElse(
  errors: readonly UpstreamError[],
  fields: Readonly<Record<string, unknown>>,
): readonly UpstreamError[] {
  return errors.length > 0 ? errors : [toError(fields)];
}

/** OpenRouter puts the body of the server behind it into `metadata.raw`, or all that it says about it. */
function readForwarded(error: Readonly<Record<string, unknown>>): readonly UpstreamError[] {
  const { raw } = toJsonObject(error.metadata);
  if (typeof raw !== 'string') return [];
  const errors = readErrorBody(parseJson(raw));
  const saysNothing = error.message === 'Provider returned error';
  return errors.length === 0 && saysNothing ? [toError({ ...error, message: raw })] : errors;
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

/** What stands before the words of a model’s template: in llama.cpp the place in its source, in LM Studio a sentence. */
const beforeTemplate =
  /^(?:Engine protocol predict request returned \d{3}: \s*\{"error":\{"code":\d{3},"message":"|\s*-{4,}\s*While executing [\s\S]{0,1500}?\nError: (?:Jinja Exception: )?|Error rendering prompt with jinja template: ["']?(?:Error: )?)/;

function toError(fields: Readonly<Record<string, unknown>>): UpstreamError {
  const { message, code, status, type, param } = errorSchema.parse(fields);
  return { message: message.replace(beforeTemplate, ''), code, status, type, param };
}
