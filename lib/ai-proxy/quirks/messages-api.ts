import type { ClientHeaders } from '../upstreams/connection.ts';
import type { Quirk } from './quirk.ts';

/** Where an upstream counts the tokens of Messages, if it does. */
export const countTokensPath = '/messages/count_tokens';

/** What servers of the Messages API reject besides; Claude Code recovers by the words of these messages, too. */
export const messagesApiQuirks: readonly Quirk[] = [
  {
    name: 'anthropic_beta',
    isOfRequest: true,
    texts: [
      // Google’s and Amazon’s servers of Anthropic’s models; a client may have made the values up
      /^unexpected value\(s\) (?<rejected>`[\w-]{1,80}`(?:, `[\w-]{1,80}`){0,30}) for the `anthropic-beta` header\b/i,
      /^(?:validationexception: )?invalid beta flag\b/i,
    ],
    toTaken: toTakenBetas,
    changeHeaders: withTakenBetas,
    isAvoidedIn: ['messages'],
    server: 'does not know values of the header `anthropic-beta`, which agents always send',
    gets: 'in native Messages, those that it knows',
  },
  {
    name: 'count_tokens',
    // Gateways to Bedrock
    texts: [/^the provided model does(?:n['’]t| not) support counting tokens/i],
    // Of names that clients make up there is no end.
    isShownBy: ({ path, status, isListed }) =>
      path === countTokensPath && isListed && [404, 405, 501].includes(status),
    isAvoidedIn: ['messages'],
  },
  {
    code: 'unsupported_parameter',
    texts: [
      /^(?<param>(?:output_config|context_management)(?:\.\w+)*): extra inputs are not permitted/i,
    ],
    tell: ({ field }) =>
      `${field ?? '`context_management` or `output_config`'}: Extra inputs are not permitted. This model does not take it: leave it out.`,
  },
  {
    code: 'context_length_exceeded',
    texts: [
      /\binput length and `max_tokens` exceed context limit: (?<used>\d+) \+ (?<asked>\d+) > (?<max>\d+)/i,
    ],
    tell: ({ used, asked, max }) =>
      used === null || asked === null || max === null
        ? 'The prompt and `max_tokens` are too long together: shorten one of them.'
        : `input length and \`max_tokens\` exceed context limit: ${used} + ${asked} > ${max}. Shorten one of them.`,
  },
  {
    texts: [/\btool_use\W+ids were found without\W+tool_result\b/i],
    tell: '`tool_use` ids were found without `tool_result` blocks immediately after: each call needs its result in the next message.',
  },
  {
    texts: [/\bunexpected\W+tool_use_id\W+found in\W+tool_result\b/i],
    tell: 'unexpected `tool_use_id` found in `tool_result`: each result needs its call in the message before.',
  },
  {
    texts: [/\btool_use\W+ids must be unique\b/i],
    tell: '`tool_use` ids must be unique: send each call once.',
  },
  {
    texts: [/\btext content blocks must (?:be non-empty|contain non-whitespace text)\b/i],
    tell: 'text content blocks must be non-empty: leave the empty ones out.',
  },
  {
    param: 'cache_control',
    texts: [/\bmaximum of (?<max>\d+) blocks with cache_control\b/i],
    tell: ({ max }) =>
      `Too many blocks have \`cache_control\`: ${max === null ? 'send fewer' : `at most ${max} may have it`}.`,
  },
  {
    param: 'cache_control',
    texts: [/\bcache_control cannot be set for empty text\b/i],
    tell: 'An empty text cannot have `cache_control`: leave the text out.',
  },
  {
    texts: [
      /\binput should be 'user' or 'assistant'/i,
      /\bunexpected role\b.{0,40}\binput message role/i,
    ],
    tell: "messages.role: Input should be 'user' or 'assistant'. Put the role `system` into the field `system`.",
  },
];

const betaHeader = 'anthropic-beta';

/** The values of `anthropic-beta`: features of the Messages API that the client expects. Agents always name some. */
export function readBetas(headers: ClientHeaders): readonly string[] {
  const sent = headers.get(betaHeader);
  if (sent === null) return [];
  const values = sent.split(',').map((value) => value.trim());
  return values.filter((value) => value !== '');
}

/** The headers of a client, without betas that the upstream does not take. */
function withTakenBetas(headers: ClientHeaders, taken: readonly string[]): ClientHeaders {
  const betas = readBetas(headers).filter((beta) => taken.includes(beta));
  const value = betas.length === 0 ? null : betas.join(',');
  return { get: (name) => (name === betaHeader ? value : headers.get(name)) };
}

export function hasSameBetas(headers: ClientHeaders, others: ClientHeaders): boolean {
  return readBetas(headers).join() === readBetas(others).join();
}

/** Those that are left of a client’s, where the upstream has named what it does not know; none if it has not. */
function toTakenBetas(rejected: readonly string[], headers: ClientHeaders): readonly string[] {
  const sent = readBetas(headers);
  const taken = sent.filter((beta) => !rejected.includes(beta));
  return taken.length < sent.length ? taken : [];
}
