import { z } from 'zod';
import { type Conversation, readTurns } from '../completion/conversation.ts';
import type { Turn } from '../completion/turn.ts';
import { type ParseResult, toRequestError } from './request-error.ts';

const part = z.looseObject({ type: z.string(), text: z.string().optional() });

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(part), z.null()]).optional(),
});

const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.looseObject({ function: z.looseObject({ name: z.string() }) }),
]);

const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  tools: z
    .array(
      z.looseObject({
        type: z.literal('function'),
        function: z.looseObject({ name: z.string().min(1), parameters: z.unknown().optional() }),
      }),
    )
    .nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  reasoning_effort: z.string().nullish(),
  response_format: z
    .looseObject({
      type: z.enum(['text', 'json_object', 'json_schema']),
      json_schema: z.looseObject({ schema: z.unknown().optional() }).optional(),
    })
    .nullish(),
});

/** Parses a Chat Completions request as strictly as OpenAI. */
export function parseChatRequest(body: unknown): ParseResult<Conversation> {
  const parsed = chatRequest.safeParse(body);
  if (!parsed.success) return { ok: false, error: toRequestError(parsed.error) };
  const { data } = parsed;
  const format = data.response_format?.type ?? 'text';
  const choice = data.tool_choice ?? 'auto';
  return {
    ok: true,
    value: {
      ...readTurns(data.messages.map(toTurn)),
      model: data.model,
      isStream: data.stream ?? false,
      includeUsage: data.stream_options?.include_usage ?? false,
      tools: (data.tools ?? []).map((tool) => ({
        name: tool.function.name,
        parameters: tool.function.parameters,
      })),
      toolChoice: typeof choice === 'string' ? choice : { name: choice.function.name },
      isParallel: data.parallel_tool_calls ?? true,
      outputSchema: data.response_format?.json_schema?.schema,
      outputFormat: format === 'text' ? 'text' : format === 'json_object' ? 'json' : 'schema',
      maxTokens: data.max_completion_tokens ?? data.max_tokens ?? null,
      hasReasoning: (data.reasoning_effort ?? 'none') !== 'none',
    },
  };
}

function toTurn({ role, content }: z.infer<typeof message>): Turn {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  return {
    role: toRole(role),
    text: parts.map(({ text }) => text ?? '').join(''),
    images: parts.filter(({ type }) => type === 'image_url').length,
  };
}

function toRole(role: z.infer<typeof message>['role']): Turn['role'] {
  if (role === 'developer') return 'system';
  return role === 'function' ? 'tool' : role;
}
