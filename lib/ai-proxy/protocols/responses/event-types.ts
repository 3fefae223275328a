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

/** What is done with an event of an open item. */
export type PieceKind = Readonly<{
  type: string;
  /** The field that says to which part of the item it belongs; null: such items have no parts. */
  partIndex: 'content_index' | 'summary_index' | null;
  /** It begins or ends a content part. */
  isOfPart: boolean;
  /** The part that its delta belongs to; null: to none. */
  partOfDelta: 'output_text' | 'refusal' | null;
  /** The text of a part ends with it. */
  endsText: boolean;
  /** It has the arguments of a function’s call. */
  isOfCall: boolean;
  /** Its delta is part of the item in a failed response. */
  isShown: boolean;
  /** Clients expect `logprobs` in it. */
  hasLogprobs: boolean;
}>;

/** By the type of the event. */
export const pieceKinds: ReadonlyMap<string, PieceKind> = new Map(
  ofOpenItem.map((type) => [type, toPieceKind(type)]),
);

function toPieceKind(type: string): PieceKind {
  const [, subject = '', step = ''] = /^response\.(.+)\.(\w+)$/.exec(type) ?? [];
  const part = subject === 'output_text' || subject === 'refusal' ? subject : null;
  const isDelta = step === 'delta';
  const isOfCall = subject === 'function_call_arguments';
  return {
    type,
    partIndex: partIndexOf(subject),
    isOfPart: subject === 'content_part',
    partOfDelta: isDelta ? part : null,
    endsText: part !== null && step === 'done',
    isOfCall,
    isShown: isDelta && (part === 'output_text' || isOfCall),
    hasLogprobs: part === 'output_text' && (isDelta || step === 'done'),
  };
}

function partIndexOf(subject: string): PieceKind['partIndex'] {
  if (subject.startsWith('reasoning_summary')) return 'summary_index';
  return /^(?:content_part|output_text|refusal|reasoning_text)/.test(subject)
    ? 'content_index'
    : null;
}
