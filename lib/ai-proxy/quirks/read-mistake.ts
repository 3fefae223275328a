import type { UpstreamError } from '../upstreams/errors/error-body.ts';
import type { Quirk } from './quirk.ts';
import { quirkTable } from './quirks.ts';

/** What a client did wrong, in our own words. */
type Mistake = Readonly<{
  /** A code of our documentation. */
  code: string | null;
  param: string | null;
  message: string;
}>;

/**
 * Finds out what the upstream rejects. Of its text, only names of fields, a number of tokens and documented values
 * are passed on; of an unknown text, nothing. @param sent the JSON that the upstream got
 */
export function readMistake(error: UpstreamError, sent: string): Mistake | null {
  for (const quirk of quirkTable) {
    const { tell, code = null } = quirk;
    const found = tell === undefined ? null : findWords(quirk, error);
    if (tell === undefined || found === null) continue;
    const named = toPublicParam(error.param, sent) ?? toPublicParam(found.param, sent);
    const param = quirk.param ?? named;
    const details = {
      field: param === null ? null : `\`${param}\``,
      min: toBound(found.min),
      max: toBound(found.max),
      used: toBound(found.used),
      asked: toBound(found.asked),
      instead: toCode(toPublicParam(found.instead, sent)),
      values: toKnownValues(found.values),
    };
    return { code, param, message: typeof tell === 'string' ? tell : tell(details) };
  }
  return null;
}

type Found = Readonly<Record<string, string | undefined>>;

/** Wherever the words stand: a client that provokes them is told something else, no more. */
function findWords({ codes = [], texts = [] }: Quirk, error: UpstreamError): Found | null {
  for (const text of texts) {
    const match = text.exec(error.message) ?? text.exec(`${error.param}: ${error.message}`);
    if (match !== null) return match.groups ?? {};
  }
  return [error.code, error.type].some((word) => codes.includes(word ?? '')) ? {} : null;
}

function toCode(name: string | null): string | null {
  return name === null ? null : `\`${name}\``;
}

function toBound(digits = ''): number | null {
  return /^\d{1,8}$/.test(digits) ? Number(digits) : null;
}

const documentedValues = new Set(
  `none minimal low medium high xhigh max auto required text json_object json_schema float base64
  system developer user assistant tool function default flex priority standard_only concise detailed`.split(
    /\s+/,
  ),
);

/** Only if all of them are documented ones. */
function toKnownValues(list = ''): readonly string[] {
  const values = [...list.matchAll(/['"`](\w+)['"`]/g)].map(([, value = '']) => value);
  return values.every((value) => documentedValues.has(value)) ? values.slice(0, 10) : [];
}

/** Fields that an upstream may name although the request lacks them. */
const documentedWords = new Set(
  `messages input prompt system instructions model content role type text name
  tools tool_choice tool_calls tool_call_id function parameters arguments input_schema tool_use_id
  image_url url source data media_type file max_tokens max_completion_tokens max_output_tokens
  temperature top_p stop n stream response_format json_schema schema format strict
  reasoning reasoning_effort effort thinking budget_tokens dimensions`.split(/\s+/),
);

/** `messages[0].content`, or `messages.0.content`. */
const fieldPath = /^[a-z_]\w*(?:\.\w+|\[\d{1,5}\])*$/i;

/**
 * A path to a field of the request, as OpenAI writes it; null for anything else. Each of its words occurs in the
 * request or in the documentation, so it reveals nothing about the upstream.
 */
export function toPublicParam(param: unknown, sent: string): string | null {
  if (typeof param !== 'string' || param.length > 100 || !fieldPath.test(param)) return null;
  const segments = param.split(/[.[\]]+/).filter((segment) => segment !== '');
  const isKnown = (word: string) =>
    isIndex(word) || documentedWords.has(word) || sent.includes(`"${word}":`);
  const path = segments.filter((word, at) => isKnown(word) || !isTyped(segments[at - 1]));
  if (!path.every(isKnown)) return null;
  return path
    .map((word, at) => (isIndex(word) ? `[${word}]` : `${at === 0 ? '' : '.'}${word}`))
    .join('');
}

function isIndex(segment: string): boolean {
  return /^\d{1,5}$/.test(segment);
}

const typedFields: ReadonlySet<string> = new Set(['source', 'thinking', 'tool_choice']);

/** Anthropic writes the type of what stands at a place after it: `tools.0.custom.name`. */
function isTyped(place = ''): boolean {
  return isIndex(place) || typedFields.has(place);
}
