/** Deltas, parts and annotations of an open item: what they are of, and their steps. */
const ofOpenItem = {
  content_part: 'added done',
  output_text: 'delta done',
  'output_text.annotation': 'added',
  refusal: 'delta done',
  function_call_arguments: 'delta done',
  reasoning_summary_part: 'added done',
  reasoning_summary_text: 'delta done',
  reasoning_text: 'delta done',
  custom_tool_call_input: 'delta done',
  file_search_call: 'in_progress searching completed',
  web_search_call: 'in_progress searching completed',
  code_interpreter_call: 'in_progress interpreting completed',
  code_interpreter_call_code: 'delta done',
  image_generation_call: 'in_progress generating partial_image completed',
  mcp_call: 'in_progress completed failed',
  mcp_call_arguments: 'delta done',
  mcp_list_tools: 'in_progress completed failed',
};

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
  Object.entries(ofOpenItem)
    .flatMap(([subject, steps]) => steps.split(' ').map((step) => toPieceKind(subject, step)))
    .map((kind) => [kind.type, kind]),
);

function toPieceKind(subject: string, step: string): PieceKind {
  const part = subject === 'output_text' || subject === 'refusal' ? subject : null;
  const isDelta = step === 'delta';
  const isOfCall = subject === 'function_call_arguments';
  return {
    type: `response.${subject}.${step}`,
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
