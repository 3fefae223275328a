import { z } from 'zod';
import { type Conversation, readTurns } from '../completion/conversation.ts';
import type { Turn } from '../completion/turn.ts';
import { type ParseResult, toRequestError } from './request-error.ts';

const block = z.looseObject({ type: z.string(), text: z.string().optional() });

const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(block)]).optional(),
});

const message = z.looseObject({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string(), z.array(z.union([toolResult, block]))]),
});

const messagesRequest = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.int().min(1).optional(),
  messages: z.array(message).min(1),
  system: z.union([z.string(), z.array(block)]).optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  tools: z
    .array(
      z.looseObject({ name: z.string().min(1).optional(), input_schema: z.unknown().optional() }),
    )
    .optional(),
  tool_choice: z
    .looseObject({
      type: z.enum(['auto', 'any', 'tool', 'none']),
      name: z.string().optional(),
      disable_parallel_tool_use: z.boolean().optional(),
    })
    .optional(),
  thinking: z.looseObject({ type: z.enum(['enabled', 'adaptive', 'disabled']) }).optional(),
  output_config: z
    .looseObject({ format: z.looseObject({ schema: z.unknown().optional() }).optional() })
    .optional(),
});

/** Parses a Messages request as strictly as Anthropic. */
export function parseMessagesRequest(body: unknown): ParseResult<Conversation> {
  const parsed = messagesRequest.safeParse(body);
  if (!parsed.success) return { ok: false, error: toRequestError(parsed.error) };
  const { data } = parsed;
  const format = data.output_config?.format;
  const thinking = data.thinking?.type ?? 'disabled';
  return {
    ok: true,
    value: {
      ...readTurns([
        ...toTurns('system', data.system ?? ''),
        ...data.messages.flatMap(readMessage),
      ]),
      model: data.model,
      isStream: data.stream ?? false,
      includeUsage: true,
      tools: (data.tools ?? []).flatMap(({ name, input_schema: parameters }) =>
        name === undefined || parameters === undefined ? [] : [{ name, parameters }],
      ),
      toolChoice: toToolChoice(data.tool_choice),
      isParallel: data.tool_choice?.disable_parallel_tool_use !== true,
      outputSchema: format?.schema,
      outputFormat: format === undefined ? 'text' : 'schema',
      maxTokens: data.max_tokens ?? null,
      hasReasoning: thinking !== 'disabled',
    },
  };
}

type Choice = z.infer<typeof messagesRequest>['tool_choice'];

function toToolChoice(choice: Choice): Conversation['toolChoice'] {
  if (choice?.type === 'any') return 'required';
  if (choice?.type === 'tool') return { name: choice.name ?? '' };
  return choice?.type ?? 'auto';
}

type Blocks = z.infer<typeof message>['content'];

function readMessage({ role, content }: z.infer<typeof message>): Turn[] {
  return toTurns(role, content);
}

function toTurns(role: 'user' | 'assistant' | 'system', content: Blocks): Turn[] {
  if (typeof content === 'string') return [{ role, text: content, images: 0 }];
  const results = content.filter((part) => toolResult.safeParse(part).success);
  const others = content.filter((part) => !results.includes(part));
  const turns = results.map(({ content: output }): Turn => toTurn('tool', output));
  return others.length === 0 ? turns : [...turns, toTurn(role, others)];
}

function toTurn(role: Turn['role'], content: unknown): Turn {
  const blocks = z.array(block).safeParse(content);
  if (!blocks.success) return { role, text: String(content ?? ''), images: 0 };
  return {
    role,
    text: blocks.data.map(({ text }) => text ?? '').join(''),
    images: blocks.data.filter(({ type }) => type === 'image').length,
  };
}
