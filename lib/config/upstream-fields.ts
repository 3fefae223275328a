/** Names of what an upstream may not take: `fields` and `accepts` in the file of upstreams, and what is learned. */

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
/** Those of OpenAI’s own API: it has no `cache_control`, and takes `metadata` only with what it stores. */
export const openaiFields = optionalFields.filter(
  (field) => field !== 'cache_control' && field !== 'metadata',
);
/** What chat servers know, but not for each model: left out only where it has been rejected. */
export const usualFields = [
  'frequency_penalty',
  'presence_penalty',
  'reasoning_effort',
  'seed',
  'stop',
  'stream_options',
  'temperature',
  'tool_choice',
  'top_k',
  'top_p',
] as const;
/** Forms of requests, and an endpoint, that servers know, but not all, or not for each model: avoided only where they were rejected. */
export const optionalForms = [
  /** Values of the header `anthropic-beta`. */
  'anthropic_beta',
  /** Arguments of calls in the conversation that are no JSON object, such as of a call that was cut off. */
  'broken_arguments',
  /** Ids of calls that have not nine letters and digits: Mistral’s rule. */
  'call_ids',
  /** Calls in the conversation without what OpenRouter calls reasoning details, as of another model than Gemini. */
  'calls_without_details',
  /** Calls in the conversation without the reasoning that led to them, as of another model. */
  'calls_without_reasoning',
  /** The same without Google’s signature of what the model had thought. */
  'calls_without_signature',
  /** A content of several texts, where a server takes one text alone. */
  'content_parts',
  /** The endpoint that counts the tokens of Messages. */
  'count_tokens',
  /** The effort of a request that has tools: models which take both only in Responses. */
  'effort_with_tools',
  /** How vectors are written. Some libraries ask for base64 by themselves, others for numbers. */
  'encoding_format',
  /** In `include` of Responses, for clients that would find their reasoning stored elsewhere. */
  'encrypted_reasoning',
  /** A reply in JSON of any schema, where a server takes schemas alone. */
  'json_object',
  /** The schema of a reply, where a server takes `json_object` alone. */
  'json_schema',
  /** Messages of the role `system` that do not begin the conversation. */
  'later_system',
  /** The schema of a reply that is not `strict`. */
  'loose_schema',
  /** A content that is `null`, as beside calls. */
  'null_content',
  /** Ids of calls of more than 40 characters, or of others than letters, digits, `_` and `-`: OpenAI’s and Anthropic’s rules. */
  'odd_call_ids',
  /** Tools that are no functions, where a server takes no others. */
  'other_tools',
  /** Tools that are no functions, and items and blocks of other types than texts, pictures, files and calls of functions. */
  'other_types',
  /** Messages of the same role one after the other. */
  'repeated_roles',
  /** Reasoning of former turns in the messages of the assistant, as the upstream has sent it. */
  'returned_reasoning',
  /** In the parameters of functions: patterns, formats, and how long texts and lists may be, which make grammars too large. */
  'schema_bounds',
  /** Keywords of JSON Schema for parameters that Google’s API does not have. */
  'schema_keywords',
  /** The field of a function. */
  'strict',
  /** The role, wherever it stands. */
  'system',
  /** What asks a model to think in native Messages and Responses: agents always do. */
  'thinking',
] as const;
/** The bound of a reply: under which other name it is taken, and how large it may be. */
export const boundFields = ['max_tokens', 'max_output_tokens'] as const;
