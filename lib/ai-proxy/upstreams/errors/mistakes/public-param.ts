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
  const words = param.split(/[.[\]]+/).filter((word) => word !== '' && !/^\d{1,5}$/.test(word));
  const isKnown = words.every((word) => documentedWords.has(word) || sent.includes(`"${word}":`));
  return isKnown ? param.replace(/\.(\d+)(?=\.|$)/g, '[$1]') : null;
}
