import type { Quirk, TargetQuirks } from './quirk.ts';

/** A tool, an item or a block, or a field of its. */
const place = String.raw`(?<param>(?:tools|input|messages)[.[]\d+\]?(?:[.[]\w+\]?){0,6}?)`;
const typeOf = String.raw`(?<param>(?:tools|input|messages)[.[]\d+\]?(?:[.[]\w+\]?){0,6}?\.type)`;

function startsWith(text: string): RegExp {
  return new RegExp(`^${text}`, 'i');
}

/** Whether it has tools that are no functions, or other types of items and blocks. */
export type TypedRequest = Readonly<{ hasOtherTools: boolean; hasOtherTypes: boolean }>;

/** Whether a request has what a server with these quirks takes only as a request of chat, which has no such types. */
export function isTranslated(
  { hasOtherTools, hasOtherTypes }: TypedRequest,
  quirks: TargetQuirks,
): boolean {
  return (
    (hasOtherTools && quirks.has('other_tools')) || (hasOtherTypes && quirks.has('other_types'))
  );
}

const onlyFunctions =
  'The service behind this model takes only functions as tools: leave the others out, or define functions.';

/**
 * Types that a server does not know. The request is translated, where that is possible. What it says of the types in one
 * request, a client may have made up: others may send those that it knows.
 */
export const typeQuirks: readonly Quirk[] = [
  {
    name: 'other_tools',
    code: 'unsupported_parameter',
    param: 'tools',
    // llama.cpp, gateways
    texts: [
      `'type' of tool must be 'function'`,
      `${place} must be a function tool`,
      String.raw`only \x60?type: ?"function"\x60? tools are supported\b`,
    ].map(startsWith),
    tell: onlyFunctions,
    isAvoidedIn: ['responses', 'messages'],
  },
  {
    name: 'other_types',
    isOfRequest: true,
    code: 'unsupported_parameter',
    param: 'tools',
    texts: [
      /^(?:unsupported|unknown) (?:responses )?tool (?:type|field)\b/i,
      /^(?:hosted )?tool (?:type )?['"`]\w+['"`] is not supported\b/i,
    ],
    tell: onlyFunctions,
    // Each server has its own words for it.
    isShownBy: ({ dialect, status }, { isUnexplained, rejectedBound, rejectsReasoning }) =>
      (dialect === 'responses' || dialect === 'messages') &&
      (status === 400 || status === 422) &&
      isUnexplained &&
      rejectedBound === null &&
      !rejectsReasoning,
    isAvoidedIn: ['responses', 'messages'],
  },
  {
    name: 'other_types',
    isOfRequest: true,
    code: 'unsupported_parameter',
    param: 'input',
    texts: [
      // llama.cpp and LM Studio, of an item that they do not know, or a picture in the result of a tool
      /^cannot determine type of 'item'/i,
      /^output of tool call should be 'input text'/i,
      /^only text tool_result blocks are supported/i,
    ],
    tell: 'The service behind this model takes only messages, calls of functions, and texts as their results: leave other items and parts out.',
  },
  {
    name: 'other_types',
    isOfRequest: true,
    code: 'unsupported_parameter',
    texts: [
      // Anthropic, and others with pydantic
      String.raw`${place}: input tag '\w+' found using 'type' does not match`,
      `${typeOf}: (?:input should be|must be|(?:invalid literal value, )?expected) `,
      // OpenAI
      String.raw`${typeOf}: (?:invalid|unsupported|unknown) (?:value|type)\b`,
      // Servers in Rust
      `(?:failed to deserialize the json body into the target type: )?${place}: unknown variant `,
      // Volcengine
      String.raw`the parameter \x60(?<param>tools|messages\.content)\.type\x60 specified in the request (?:is|are) not valid\b`,
    ].map(startsWith),
    tell: ({ field }) =>
      `The service behind this model does not know the type of ${field ?? 'a tool or a block'}: leave it out, or use a function.`,
  },
];
