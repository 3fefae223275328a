import { z } from 'zod';
import { type Conversation, readTurns, type Tool } from '../completion/conversation.ts';
import type { Turn } from '../completion/turn.ts';
import { type ParseResult, toRequestError } from './request-error.ts';

const part = z.looseObject({
  type: z.enum(['input_text', 'output_text', 'input_image', 'input_file', 'refusal']),
  text: z.string().optional(),
});

const message = z.looseObject({
  type: z.literal('message').default('message'),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([z.string(), z.array(part)]),
});

const readTypes = ['message', 'function_call', 'function_call_output', 'custom_tool_call_output'];

const item = z.union([
  z.looseObject({ type: z.literal('function_call'), call_id: z.string(), name: z.string() }),
  z.looseObject({
    type: z.literal('function_call_output'),
    call_id: z.string(),
    output: z.union([z.string(), z.array(part)]),
  }),
  z.looseObject({
    type: z.literal('custom_tool_call_output'),
    call_id: z.string(),
    output: z.union([z.string(), z.array(part)]),
  }),
  message,
  // Items of clients that work with tools: read by models, ignored by the demo.
  z.looseObject({ type: z.string().refine((type) => !readTypes.includes(type)) }),
]);

const responsesRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(item)]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  tools: z
    .array(
      z.union([
        z.looseObject({
          type: z.enum(['function', 'custom']),
          name: z.string().min(1),
          parameters: z.unknown().optional(),
        }),
        // Tools that an upstream runs by itself; the demo never uses them.
        z.looseObject({ type: z.string() }),
      ]),
    )
    .nullish(),
  tool_choice: z
    .union([z.enum(['auto', 'none', 'required']), z.looseObject({ name: z.string() })])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  reasoning: z.looseObject({ effort: z.string().nullish() }).nullish(),
  text: z
    .looseObject({
      format: z
        .looseObject({
          type: z.enum(['text', 'json_object', 'json_schema']),
          schema: z.unknown().optional(),
        })
        .optional(),
    })
    .nullish(),
});

/** Parses a Responses request as strictly as OpenAI. */
export function parseResponsesRequest(body: unknown): ParseResult<Conversation> {
  const parsed = responsesRequest.safeParse(body);
  if (!parsed.success) return { ok: false, error: toRequestError(parsed.error) };
  const { data } = parsed;
  const format = data.text?.format?.type ?? 'text';
  const choice = data.tool_choice ?? 'auto';
  const turns =
    typeof data.input === 'string' ? [toTextTurn('user', data.input)] : data.input.map(toTurn);
  return {
    ok: true,
    value: {
      ...readTurns([toTextTurn('system', data.instructions ?? ''), ...turns]),
      model: data.model,
      isStream: data.stream ?? false,
      includeUsage: true,
      tools: toTools([...(data.tools ?? []), ...findAddedTools(data.input)]),
      toolChoice: typeof choice === 'string' ? choice : { name: choice.name },
      isParallel: data.parallel_tool_calls ?? true,
      outputSchema: data.text?.format?.schema,
      outputFormat: format === 'text' ? 'text' : format === 'json_object' ? 'json' : 'schema',
      maxTokens: data.max_output_tokens ?? null,
      hasReasoning: (data.reasoning?.effort ?? 'none') !== 'none',
    },
  };
}

function toTurn(input: z.infer<typeof item>): Turn {
  switch (input.type) {
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', ...toContent(input.output as Content) };
    case 'message':
      return {
        role: input.role === 'developer' ? 'system' : (input.role as Turn['role']),
        ...toContent(input.content as Content),
      };
    default:
      return toTextTurn('assistant', '');
  }
}

type Content = string | readonly z.infer<typeof part>[];

type Fields = Readonly<Record<string, unknown>>;

/** Some clients send tools as an item. */
function findAddedTools(input: z.infer<typeof responsesRequest>['input']): readonly Fields[] {
  const items = typeof input === 'string' ? [] : input;
  return items.flatMap(({ type, tools }: Fields) =>
    type === 'additional_tools' ? z.array(z.looseObject({})).parse(tools) : [],
  );
}

function toTools(given: readonly Fields[], namespace?: string): readonly Tool[] {
  return given.flatMap(({ type, name, parameters, tools }): readonly Tool[] => {
    if (type === 'namespace') return toTools(z.array(z.looseObject({})).parse(tools), String(name));
    if (type !== 'function' && type !== 'custom') return [];
    const tool = { name: String(name), parameters, isCustom: type === 'custom' };
    return [namespace === undefined ? tool : { ...tool, namespace }];
  });
}

function toContent(content: Content) {
  if (typeof content === 'string') return { text: content, images: 0 };
  return {
    text: content.map(({ text }) => text ?? '').join(''),
    images: content.filter(({ type }) => type === 'input_image').length,
  };
}

function toTextTurn(role: Turn['role'], text: string): Turn {
  return { role, text, images: 0 };
}
