import type { RejectedBound } from '#lib/http/errors/errors.ts';
import type { UpstreamError } from './error-body.ts';

/**
 * How servers say which bound of a reply they take: as `max`, as what a `context` leaves after the `prompt`, or below
 * `end`.
 */
const texts: readonly RegExp[] = [
  // OpenRouter
  /\bcan only afford (?<max>\d+)/i,
  // vLLM
  /\bmax_\w*tokens\W* is too large: \d+.*?maximum context length is (?<context>\d+).*?has (?<prompt>\d+) input tokens/i,
  /\bmaximum context length is (?<context>\d+) tokens.*?requested \d+ output tokens.*?at least (?<prompt>\d+) input tokens/i,
  // vLLM, OpenRouter
  /\bmaximum context length is (?<context>\d+) tokens.*?\((?<prompt>\d+) (?:in the messages|of text input)/i,
  // TGI
  /`inputs` tokens \+ `max_new_tokens` must be <= (?<context>\d+)\. Given: (?<prompt>\d+) `inputs`/i,
  // Anthropic
  /\bexceed context limit: (?<prompt>\d+) \+ \d+ > (?<context>\d+)/i,
  /\bmax_\w*tokens\W* ?\d+ > (?<max>\d+)/i,
  // OpenAI
  /\bmax_\w*tokens\W*(?: is)? too large.*?(?:at most|limit of|maximum(?: value)? (?:is|of)?) ?(?<max>\d+)/i,
  /\bmax_\w*tokens\b.*?\bexpected a value <= (?<max>\d+)/i,
  // Groq
  /\bmax_\w*tokens\W* must be (?:less than or equal to|at most|<=) \D{0,3}(?<max>\d+)/i,
  // DeepSeek, Qwen
  /\brange of max_\w*tokens (?:is|should be) \[\d+, ?(?<max>\d+)\]/i,
  // Google
  /\bmaxOutputTokens\b.*?\bto (?<end>\d+) \(exclusive\)/i,
];

const otherField = /\bmax_tokens\W.*\buse '?\W?max_completion_tokens\b/i;
const namesBound = /\bmax_(?:completion_|output_|new_)?tokens\b/i;
const isTooSmall = /\bbelow minimum\b|\bmust be greater than\b|\bmust be at least\b/i;

/** The reply bound that an upstream rejects as too large; null: it is about something else. */
export function readRejectedBound(error: UpstreamError | null): RejectedBound | null {
  if (error === null) return null;
  const { message, param } = error;
  if (otherField.test(message)) return { outputTokensMax: null, field: 'max_completion_tokens' };
  if (isTooSmall.test(message)) return null;
  for (const text of texts) {
    const found = text.exec(message)?.groups;
    if (found !== undefined) return toBound(found);
  }
  const isNamed = namesBound.test(message) || namesBound.test(param ?? '');
  return isNamed ? { outputTokensMax: null } : null;
}

/** Null where the prompt alone is too long. */
function toBound(found: Readonly<Record<string, string | undefined>>): RejectedBound | null {
  const { max, end, context, prompt } = found;
  const left = Number(context) - Number(prompt);
  const outputTokensMax = Number(max ?? (end === undefined ? left : Number(end) - 1));
  return outputTokensMax < 1 ? null : { outputTokensMax };
}
