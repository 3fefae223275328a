import type { RejectedBound } from '#lib/http/errors/errors.ts';
import { parseJson } from '#lib/http/json-value.ts';
import type { UpstreamError } from './error-body.ts';

/** The server's own words at the beginning, without any quotation. */
const beginning = String.raw`^(?:[\w.,:;/ -]|\w['’](?=\w)){0,100}?`;

function startsWith(text: RegExp): RegExp {
  return new RegExp(`${beginning}(?<own>${text.source})`, 'i');
}

/**
 * How servers say which bound of a reply they take: as `max`, below `end`, as what a `context` leaves after the
 * `prompt`, or as what our account can still `afford`. A message may quote the prompt, so it must begin like this.
 */
const texts: readonly RegExp[] = [
  // OpenRouter
  /\brequested up to \d+ tokens.{0,40}?, but can only afford (?<afford>\d+)/,
  // vLLM
  /\W?\bmax_\w{0,20}tokens\W* (?:or \W?max_\w{0,20}tokens\W* )?is too large: \d+.{0,200}?maximum context length is (?<context>\d+).{0,200}?has (?<prompt>\d+) input tokens/,
  /\bmaximum context length is (?<context>\d+) tokens.{0,200}?requested \d+ output tokens.{0,200}?at least (?<prompt>\d+) input tokens/,
  // vLLM, OpenRouter
  /\bmaximum context length is (?<context>\d+) tokens.{0,200}?\((?<prompt>\d+) (?:in the messages|of text input)/,
  // TGI
  /`inputs` tokens \+ `max_new_tokens` must be <= (?<context>\d+)\. Given: (?<prompt>\d+) `inputs`/,
  // Anthropic
  /\binput length and `max_tokens` exceed context limit: (?<prompt>\d+) \+ \d+ > (?<context>\d+)/,
  /\W?\bmax_\w{0,20}tokens\W* ?\d+ > (?<max>\d+)/,
  // OpenAI
  /\W?\bmax_\w{0,20}tokens\W*(?: is)? too large.{0,200}?(?:at most|limit of|maximum(?: value)? (?:is|of)?) ?(?<max>\d+)/,
  /\W?\bmax_\w{0,20}tokens\b.{0,200}?\bexpected a value <= (?<max>\d+)/,
  // Groq
  /\W?\bmax_\w{0,20}tokens\W* must be (?:less than or equal to|at most|<=) \D{0,3}(?<max>\d+)/,
  // DeepSeek, Qwen
  /\brange of max_\w{0,20}tokens (?:is|should be) \[\d+, ?(?<max>\d+)\]/,
  // Google
  /\bmaxOutputTokens\b.{0,200}?\bto (?<end>\d+) \(exclusive\)/,
].map(startsWith);
/** Validation errors of pydantic, whose `param` is the field: Mistral and servers built on FastAPI. */
const atMost = startsWith(/\bshould be less than or equal to (?<max>\d+)/);

const otherField = startsWith(/\W?\bmax_tokens\W.{0,80}?\buse \W?max_completion_tokens\b/);
const boundName = /\W?\bmax_(?:completion_|output_|new_)?tokens\b/;
const namesBound = startsWith(boundName);
const isBoundParam = /^max_(?:completion_|output_|new_)?tokens$/;
/** A place within the prompt: the message may quote it. */
const isWithinPrompt = /^(?:messages|input|contents|system|prompt|tools)[.[]/;
const isTooSmall = /\bbelow minimum\b|\bmust be greater than\b|\bmust be at least\b/i;

/** So much of what was found must not stand in the request. */
const echoLength = 24;

/**
 * The reply bound that an upstream rejects as too large; null: it is about something else. @param sent the JSON that
 * the upstream got: what stands in there is no word of the upstream
 */
export function readRejectedBound(error: UpstreamError | null, sent: string): RejectedBound | null {
  if (error === null || isWithinPrompt.test(error.param ?? '')) return null;
  const { message, param } = error;
  const find = (text: RegExp) => {
    const found = text.exec(message)?.groups;
    return found === undefined || isEcho(found.own ?? '', sent) ? null : found;
  };
  if (find(otherField) !== null) return { outputTokensMax: null, field: 'max_completion_tokens' };
  if (isTooSmall.test(message)) return null;
  for (const text of isBoundParam.test(param ?? '') ? [atMost, ...texts] : texts) {
    const found = find(text);
    if (found !== null) return toBound(found);
  }
  const isNamed = isBoundParam.test(param ?? '') || namesBoundItself(message, sent);
  return isNamed ? { outputTokensMax: null } : null;
}

function namesBoundItself(message: string, sent: string): boolean {
  const found = namesBound.exec(message);
  if (found === null) return false;
  const [{ length }] = found;
  const at = length - (found.groups?.own?.length ?? 0);
  return !isEcho(message.slice(at, length + echoLength), sent);
}

/** Between the letters of a text: white space and marks, also as escapes of JSON. */
const betweenLetters = String.raw`(?:\\[bfnrt]?|[^a-z0-9\\]){0,20}`;
/** Letters that are compatible with those of ASCII: wide, within circles, of mathematics. */
const compatibleLetters = /[\u017f\u2070-\u214f\u2460-\u24ff\uff00-\uff5e]|\ud835/;

/**
 * Whether the end of what was found stands in the request, so that the upstream may only quote it: in any case, as JSON
 * escapes it, in compatible letters, and whatever stands between the letters and digits.
 */
export function isEcho(found: string, sent: string): boolean {
  const letters = found
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  const end = [...letters.slice(-echoLength)].map(toEscapable).join(betweenLetters);
  const decoded = sent.includes('\\u') ? JSON.stringify(parseJson(sent) ?? sent) : sent;
  // Normalizing takes long, and most requests have no such letters.
  const text = compatibleLetters.test(decoded) ? decoded.normalize('NFKC') : decoded;
  return new RegExp(end, 'i').test(text);
}

/** A letter, or its escape in JSON within a text. */
function toEscapable(letter: string): string {
  const codes = [letter, letter.toUpperCase()].map((form) => form.charCodeAt(0).toString(16));
  return `(?:${letter}|\\\\u00(?:${codes.join('|')}))`;
}

/** Null where the prompt alone is too long. */
function toBound(found: Readonly<Record<string, string | undefined>>): RejectedBound | null {
  const { max, end, context, prompt, afford } = found;
  const ofModel = max ?? (end === undefined ? undefined : Number(end) - 1);
  const outputTokensMax = Number(ofModel ?? afford ?? Number(context) - Number(prompt));
  if (outputTokensMax < 1) return null;
  return ofModel === undefined ? { outputTokensMax } : { outputTokensMax, isOfModel: true };
}
