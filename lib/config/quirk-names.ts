/**
 * What upstreams may not take, by the names in their file: `accepts` and `fields`. Each has a row in `lib/ai-proxy/quirks/`,
 * which says how servers show it, and what they get.
 */

/** What not every chat server takes: fields, and the role `developer`. */
export const optionalFields = [
  'cache_control',
  'developer',
  'metadata',
  'parallel_tool_calls',
  'prompt_cache_key',
  'safety_identifier',
  'service_tier',
  'user',
  'verbosity',
] as const;

/** What is avoided only where it has been rejected, or an operator says so. */
export const quirkNames = [
  ...optionalFields,
  'anthropic_beta',
  'broken_arguments',
  'call_ids',
  'calls_without_details',
  'calls_without_reasoning',
  'calls_without_signature',
  'content_parts',
  'count_tokens',
  'effort_with_tools',
  'encoding_format',
  'encrypted_reasoning',
  'frequency_penalty',
  'json_object',
  'json_schema',
  'later_system',
  'loose_schema',
  'max_completion_tokens',
  'max_tokens',
  'null_content',
  'odd_call_ids',
  'other_tools',
  'other_types',
  'presence_penalty',
  'reasoning_effort',
  'repeated_roles',
  'returned_reasoning',
  'schema_bounds',
  'schema_keywords',
  'seed',
  'stop',
  'stream_options',
  'strict',
  'system',
  'temperature',
  'thinking',
  'tool_choice',
  'tool_media',
  'top_k',
  'top_p',
  'unset_fields',
] as const;
export type QuirkName = (typeof quirkNames)[number];
