import type { Protocol } from '../upstreams/protocols.ts';

/**
 * The fields of requests that are known not to name a model, or that are checked for it. Where a key or AI_MODELS
 * restricts the models, others must not carry one past the check.
 */
export const knownFields: Readonly<Record<Protocol, ReadonlySet<string>>> = {
  chat: toFields(`
    audio chat_template_kwargs frequency_penalty function_call functions image_config include_reasoning
    logit_bias logprobs max_completion_tokens max_tokens messages min_p modalities n
    parallel_tool_calls prediction presence_penalty prompt_cache_options prompt_cache_retention
    reasoning reasoning_effort repetition_penalty response_format seed stop stream_options
    structured_outputs thinking tool_choice tools top_a top_logprobs transforms usage verbosity
    web_search_options
  `),
  responses: toFields(`
    background client_metadata context_management conversation frequency_penalty image_config include
    input instructions max_output_tokens max_tool_calls modalities parallel_tool_calls
    presence_penalty previous_response_id prompt prompt_cache_options prompt_cache_retention
    reasoning seed stop stream_options text tool_choice tools top_logprobs truncation usage
  `),
  messages: toFields(`
    betas container context_management inference_geo max_tokens mcp_servers messages output_config
    output_format speed stop_sequences system thinking thread tool_choice tools usage
  `),
  embeddings: toFields('dimensions encoding_format input input_type'),
};

/** Of all protocols, those of aggregators included. */
function toFields(own: string): ReadonlySet<string> {
  const common = `
    cache_control context_window_fallbacks content_policy_fallbacks debug fallback_model fallback_models fallbacks
    metadata model models plugins preset prompt_cache_key provider providerOptions route
    safety_identifier service_tier session_id store stream temperature top_k top_p trace user
  `;
  return new Set(`${common} ${own}`.trim().split(/\s+/));
}

/** The kinds of tools of all protocols, without the date that some of them end with. */
export const knownTools: ReadonlySet<string> = new Set(
  `function custom namespace web_search web_search_preview web_fetch file_search code_interpreter
  code_execution image_generation mcp mcp_toolset local_shell shell apply_patch tool_search
  tool_search_tool_bm25 tool_search_tool_regex computer computer_use_preview bash text_editor memory
  advisor openrouter:web_search openrouter:web_fetch openrouter:datetime openrouter:image_generation
  openrouter:subagent openrouter:advisor openrouter:fusion openrouter:apply_patch openrouter:shell`.split(
    /\s+/,
  ),
);

export const knownPlugins: ReadonlySet<string> = new Set([
  'auto-router',
  'file-parser',
  'fusion',
  'moderation',
  'response-healing',
  'web',
]);

/** `web_search_20250305` and `web_search_preview_2025_03_11` are web searches. */
export function toToolKind(type: string): string {
  return type.replace(/_(?:\d{8}|\d{4}_\d{2}_\d{2})$/, '');
}
