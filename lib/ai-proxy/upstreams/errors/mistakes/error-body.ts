import { z } from 'zod';
import { isJsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';
import { parseJson } from '#lib/http/read-body.ts';

/** What upstreams report about an error, in whichever format. None of it may be shown unchanged. */
export type UpstreamError = Readonly<{
  message: string;
  code: string | null;
  status: string | number | null;
  type: string | null;
  param: string | null;
}>;

const lengthMax = 2000;

const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null);
const errorSchema = z.looseObject({
  message: z.unknown().optional(),
  code: text,
  status: z.union([z.string(), z.number()]).nullish().catch(null),
  type: text,
  param: text,
});

/**
 * Reads an error body: `{error: {…}}` of OpenAI, Anthropic and most others, `{error: "…"}` of Ollama, a list of
 * one as Google sends it, `{object: "error", message}` of vLLM, and `{detail}` of servers built on FastAPI. Null
 * if it is none of them.
 */
export function readErrorBody(body: unknown): UpstreamError | null {
  const first = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(first)) return null;
  const { error, message, detail } = first;
  if (typeof error === 'string') return toError({ ...first, message: error });
  if (isJsonObject(error)) return readForwarded(error) ?? toError(error);
  if (first.object === 'error') return toDetailed(toJsonObject(message).detail) ?? toError(first);
  return toDetailed(detail);
}

/** OpenRouter puts the body of the server behind it into `metadata.raw`. */
function readForwarded({ metadata }: Readonly<Record<string, unknown>>): UpstreamError | null {
  const { raw } = toJsonObject(metadata);
  return typeof raw === 'string' ? readErrorBody(parseJson(raw)) : null;
}

/** Validation errors of pydantic: `[{loc: ["body", "messages", 0], msg, type}]`. */
function toDetailed(detail: unknown): UpstreamError | null {
  const first = toJsonObject(toJsonArray(detail)[0]);
  if (typeof first.msg !== 'string') return null;
  const path = toJsonArray(first.loc).filter((one) => one !== 'body');
  return toError({ message: first.msg, type: first.type, param: path.join('.') });
}

function toError(fields: Readonly<Record<string, unknown>>): UpstreamError {
  const { message, code, status, type, param } = errorSchema.parse(fields);
  return {
    message: typeof message === 'string' ? message.slice(0, lengthMax) : '',
    code: code ?? null,
    status: status ?? null,
    type: type ?? null,
    param: param ?? null,
  };
}
