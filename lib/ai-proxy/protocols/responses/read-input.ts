import type { z } from 'zod';
import { isJsonObject, type JsonObject, toText, withoutNulls } from '#lib/http/json-value.ts';
import {
  badField,
  check,
  type Path,
  rejectStoredReferences,
  requireItems,
  unsupportedField,
} from '../json/check.ts';
import { toChoiceWords } from '../json/fields.ts';
import {
  functionCallSchema,
  functionOutputSchema,
  type InputPart,
  itemTypes,
  messageSchema,
  reasoningSchema,
} from './responses-endpoint.ts';

type MessageItem = Readonly<{
  kind: 'message';
  role: z.output<typeof messageSchema>['role'];
  content: readonly InputPart[];
}>;

/** An item of a conversation: its content, and the item to send to an upstream with Responses. */
export type InputItem = Readonly<{ sent: JsonObject }> &
  (
    | MessageItem
    | Readonly<{ kind: 'function_call'; callId: string; name: string; arguments: string }>
    | Readonly<{
        kind: 'function_call_output';
        callId: string;
        output: string | readonly InputPart[];
      }>
    | Readonly<{ kind: 'reasoning'; text: string; token: unknown }>
    | Readonly<{ kind: 'hosted'; type: string }>
  );

/** For a summary of the conversation before it, which only the server that wrote it can read. */
export const unreadableText =
  'The conversation before this point was compacted by another model, and cannot be read.';

/** A message of another agent, which only the server can read whose model has written it. */
export function isEncrypted(part: unknown): part is JsonObject {
  return isJsonObject(part) && part.type === 'encrypted_content';
}

export const unreadablePart: InputPart = {
  type: 'input_text',
  text: 'Another agent has written something here that cannot be read.',
};

/**
 * Reads the conversation in all common formats and normalizes it: every message has its type and
 * parts, and every assistant message an id and a status. @throws HttpError 400 whose `param` is
 * the first invalid field.
 */
export function readInput(input: unknown): readonly InputItem[] {
  if (typeof input === 'string') return [readMessage({ role: 'user', content: input }, [], 0)];
  const items = requireItems(input, 'input', {
    noun: 'item',
    list: 'a string or an array of input items',
    least: 'a string or an array of at least one item',
  });
  return items.map((item, index) => readItem(item, ['input', index], index));
}

function readItem(item: unknown, path: Path, index: number): InputItem {
  if (!isJsonObject(item)) throw badField(path, 'an input item: an object');
  const type = item.type ?? ('role' in item ? 'message' : undefined);
  switch (type) {
    case 'message':
      return readMessage(item, path, index);
    case 'function_call': {
      const { call_id: callId, name, arguments: text } = check(functionCallSchema, item, path);
      return { kind: 'function_call', callId, name, arguments: text, sent: item };
    }
    case 'function_call_output': {
      const { call_id: callId, output } = check(functionOutputSchema, item, path);
      if (typeof output !== 'string') rejectStoredFiles(output, [...path, 'output']);
      return { kind: 'function_call_output', callId, output, sent: item };
    }
    case 'reasoning': {
      const { summary } = check(reasoningSchema, item, path);
      const text = (summary ?? []).map((part) => toText(part.text)).join('');
      const sent = { ...item, summary: summary ?? [] };
      return { kind: 'reasoning', text, token: item.encrypted_content, sent };
    }
    case 'item_reference':
      throw unsupportedField(
        path,
        'This server stores no items to reference. Send the item itself; in SDKs that send references on their own, set `store: false`.',
      );
    default:
      if (typeof type === 'string') {
        // A call that has ended only tells where it ran.
        if (type !== 'code_interpreter_call') rejectStoredReferences(item, path);
        return { kind: 'hosted', type, sent: item };
      }
      throw badField([...path, 'type'], toChoiceWords(itemTypes), type === undefined);
  }
}

function readMessage(item: JsonObject, path: Path, index: number): InputItem & MessageItem {
  const { role, content, id, status } = check(messageSchema, item, path);
  const isReply = role === 'assistant';
  const parts: readonly InputPart[] =
    typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;
  rejectStoredFiles(parts, [...path, 'content']);
  const sent: JsonObject = {
    ...item,
    type: 'message',
    content: parts.map((part) => toSentPart(part, isReply)),
    // Generated ids depend only on the position, so that the start of a conversation stays the same
    // as it grows.
    ...(isReply ? { id: id ?? `msg_turn_${index}`, status: status ?? 'completed' } : {}),
  };
  return { kind: 'message', role, content: parts, sent };
}

/** All keys share the upstream's account, so nobody may read its files; a file needs content of its own. */
function rejectStoredFiles(parts: readonly InputPart[], path: Path): void {
  for (const [index, part] of parts.entries()) {
    const isImage = part.type === 'input_image';
    if (!isImage && part.type !== 'input_file') continue;
    const content = isImage ? part.image_url : (part.file_data ?? part.file_url);
    if (content && !part.file_id) continue;
    const field = isImage ? 'image_url' : 'file_data';
    throw unsupportedField(
      [...path, index, field],
      `This server stores no files: send the content as a data: URL in \`${field}\`, without \`file_id\`.`,
    );
  }
}

/** Clients confuse the two names of text parts; an upstream accepts only the one that fits the role. */
function toSentPart(part: InputPart, isReply: boolean): JsonObject {
  if (part.type !== 'input_text' && part.type !== 'output_text') return part;
  // vLLM takes no `logprobs: null`.
  const stated = withoutNulls(part);
  if (!isReply) return { ...stated, type: 'input_text' };
  return { annotations: [], ...stated, type: 'output_text' };
}
