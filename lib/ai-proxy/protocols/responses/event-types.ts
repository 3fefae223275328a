/** Deltas, parts and annotations of an open item. */
const ofOpenItem = [
  'response.content_part.added',
  'response.content_part.done',
  'response.output_text.delta',
  'response.output_text.done',
  'response.output_text.annotation.added',
  'response.refusal.delta',
  'response.refusal.done',
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
  'response.reasoning_summary_part.added',
  'response.reasoning_summary_part.done',
  'response.reasoning_summary_text.delta',
  'response.reasoning_summary_text.done',
  'response.reasoning_text.delta',
  'response.reasoning_text.done',
  'response.custom_tool_call_input.delta',
  'response.custom_tool_call_input.done',
  'response.file_search_call.in_progress',
  'response.file_search_call.searching',
  'response.file_search_call.completed',
  'response.web_search_call.in_progress',
  'response.web_search_call.searching',
  'response.web_search_call.completed',
  'response.code_interpreter_call.in_progress',
  'response.code_interpreter_call.interpreting',
  'response.code_interpreter_call.completed',
  'response.code_interpreter_call_code.delta',
  'response.code_interpreter_call_code.done',
  'response.image_generation_call.in_progress',
  'response.image_generation_call.generating',
  'response.image_generation_call.partial_image',
  'response.image_generation_call.completed',
  'response.mcp_call.in_progress',
  'response.mcp_call.completed',
  'response.mcp_call.failed',
  'response.mcp_call_arguments.delta',
  'response.mcp_call_arguments.done',
  'response.mcp_list_tools.in_progress',
  'response.mcp_list_tools.completed',
  'response.mcp_list_tools.failed',
];

export const openItemEventTypes: ReadonlySet<string> = new Set(ofOpenItem);

/** Those of the call of a function. */
export const callEventTypes: ReadonlySet<string> = new Set([
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
]);

/** With which the text of a part ends. */
export const textEndTypes: ReadonlySet<string> = new Set([
  'response.output_text.done',
  'response.refusal.done',
]);

/** The field that says to which part of an item an event belongs; null if items have no such parts. */
export function partIndexOf(type: string): 'content_index' | 'summary_index' | null {
  if (type.startsWith('response.reasoning_summary')) return 'summary_index';
  return ofContent.test(type) ? 'content_index' : null;
}

const ofContent = /^response\.(?:content_part|output_text|refusal|reasoning_text)\./;

/** Deltas whose text is part of the item in a failed response. */
export const shownDeltaTypes: ReadonlySet<string> = new Set([
  'response.output_text.delta',
  'response.function_call_arguments.delta',
]);
