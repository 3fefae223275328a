import type { UpstreamError } from '../upstreams/errors/error-body.ts';
import type { RejectedBound } from '../upstreams/errors/upstream-failure.ts';
import { ofAllChat } from './changes.ts';
import { echoLength, findOwnText } from './own-words.ts';
import type { Change, Quirk } from './quirk.ts';

/** Servers that know the bound of a reply by its other name alone. A client that has set both keeps the other one. */
export const boundQuirks: readonly Quirk[] = [
  {
    name: 'max_tokens',
    otherName: 'max_completion_tokens',
    // OpenAI, of models that think
    texts: [/\W?\bmax_tokens\W.{0,80}?\buse \W?max_completion_tokens\b/i],
    changes: {
      translated: rename('max_tokens', 'max_completion_tokens'),
      added: rename('max_tokens', 'max_completion_tokens'),
    },
    server: 'wants the bound of a reply as `max_completion_tokens`',
    gets: 'it under that name, unless a client of Chat Completions has set it itself',
  },
  {
    name: 'max_completion_tokens',
    otherName: 'max_tokens',
    // Mistral, and OpenAI of old deployments, as of any field
    field: {},
    changes: ofAllChat(rename('max_completion_tokens', 'max_tokens')),
    server: 'knows the bound of a reply only as `max_tokens`, as Mistral’s does',
    gets: 'it under that name, from clients of Chat Completions, too, unless they have set both',
  },
  {
    texts: [
      /(?<param>max_\w{0,20}tokens)\W* is too large.{0,200}?at most (?<max>\d+)/i,
      /^(?<param>max_tokens): \d+ > (?<max>\d+)/,
      /(?<param>max_\w{0,20}tokens)\W* must be less than or equal to \D{0,3}(?<max>\d+)/i,
    ],
    tell: ({ field, max }) =>
      `${field ?? 'The bound of the reply'} is larger than this model allows: ${max === null ? 'lower it' : `at most ${max}`}.`,
  },
];

function rename(name: string, otherName: string): Change {
  return (request) => {
    const { [name]: bound, ...others } = request;
    return bound === undefined ? request : { [otherName]: bound, ...others };
  };
}

/**
 * How servers say which bound of a reply they take: as `max`, below `end`, as what a `context` leaves after the
 * `prompt`, or as what our account can still `afford`.
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
].map((text) => new RegExp(text.source, 'i'));
/** Validation errors of pydantic, whose `param` is the field: Mistral and servers built on FastAPI. */
const atMost = /\bshould be less than or equal to (?<max>\d+)/i;

/** The name alone may stand in any request, but not with what follows. */
const boundName = new RegExp(
  `\\W?\\bmax_(?:completion_|output_|new_)?tokens\\b.{0,${echoLength}}`,
  'is',
);
const boundParam = /^max_(?:completion_|output_|new_)?tokens$/;
/** A place within the prompt: the message may quote it. */
const isWithinPrompt = /^(?:messages|input|contents|system|prompt|tools)[.[]/;
const isTooSmall = /\bbelow minimum\b|\bmust be greater than\b|\bmust be at least\b/i;

export function isBoundName(name: string): boolean {
  return boundParam.test(name);
}

/**
 * The reply bound that an upstream rejects as too large; null: it is about something else. @param sent the JSON that
 * the upstream got: what stands in there is no word of the upstream
 */
export function readRejectedBound(error: UpstreamError | null, sent: string): RejectedBound | null {
  if (error === null || isWithinPrompt.test(error.param ?? '')) return null;
  const { message, param } = error;
  if (isTooSmall.test(message)) return null;
  const isNamed = isBoundName(param ?? '');
  const found = findOwnText(isNamed ? [atMost, ...texts] : texts, message, sent);
  if (found !== null) return toBound(found);
  const isAboutBound = isNamed || findOwnText([boundName], message, sent) !== null;
  return isAboutBound ? { outputTokensMax: null } : null;
}

/** Null where the prompt alone is too long. */
function toBound(found: Readonly<Record<string, string | undefined>>): RejectedBound | null {
  const { max, end, context, prompt, afford } = found;
  const ofModel = max ?? (end === undefined ? undefined : Number(end) - 1);
  const outputTokensMax = Number(ofModel ?? afford ?? Number(context) - Number(prompt));
  if (outputTokensMax < 1) return null;
  return ofModel === undefined ? { outputTokensMax } : { outputTokensMax, isOfModel: true };
}
