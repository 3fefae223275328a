import {
  type AssistantMessage,
  type ChatContent,
  type ChatMessage,
  toPlainContent,
} from '../chat/message.ts';
import { toReasoningFields } from '../chat/reasoning.ts';
import { type Path, unsupportedField } from '../json/check.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { InputPart } from '../responses/input-schema.ts';
import type { InputItem } from '../responses/read-input.ts';
import type { ResponsesRequest } from '../responses/read-request.ts';

/**
 * Converts the conversation to Chat Completions messages. Reasoning goes back only to the kind of
 * upstream that it came from. @throws ProxyError 400 for items that need an upstream with built-in tools, and for
 * files referenced by id.
 */
export function toChatMessages({ options, input }: ResponsesRequest): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  if (options.instructions) messages.push({ role: 'system', content: options.instructions });
  for (const [index, item] of input.entries()) addItem(messages, item, ['input', index]);
  return messages.map(withContent);
}

function addItem(messages: ChatMessage[], item: InputItem, path: Path): void {
  switch (item.kind) {
    case 'message': {
      const content = toContent(item.content, [...path, 'content']);
      if (item.role !== 'assistant') {
        messages.push({ role: item.role, content });
        return;
      }
      const open = toOpenTurn(messages);
      // A message whose calls came first gets the text; a second text starts a new message.
      if (open !== null && open.content === null) open.content = content;
      else messages.push({ role: 'assistant', content });
      return;
    }
    case 'function_call': {
      const { callId: id, name, arguments: text } = item;
      const turn = toAssistantTurn(messages);
      turn.tool_calls ??= [];
      turn.tool_calls.push({ id, type: 'function', function: { name, arguments: text } });
      return;
    }
    case 'function_call_output':
      messages.push({
        role: 'tool',
        tool_call_id: item.callId,
        content: toToolContent(item.output, [...path, 'output']),
      });
      return;
    case 'hosted':
      throw unsupportedField(
        path,
        `The model’s server has no place for items of the type \`${item.type}\`: leave the item out.`,
      );
    case 'reasoning': {
      const fields = toReasoningFields([item]);
      if (Object.keys(fields).length > 0) Object.assign(toAssistantTurn(messages), fields);
    }
  }
}

/** A turn that consists of nothing but reasoning still needs a content. */
function withContent(message: ChatMessage): ChatMessage {
  const isEmpty =
    message.role === 'assistant' && message.content === null && message.tool_calls === undefined;
  return isEmpty ? { ...message, content: '' } : message;
}

function toAssistantTurn(messages: ChatMessage[]): AssistantMessage {
  const open = toOpenTurn(messages);
  if (open !== null) return open;
  const turn: AssistantMessage = { role: 'assistant', content: null };
  messages.push(turn);
  return turn;
}

function toOpenTurn(messages: readonly ChatMessage[]): AssistantMessage | null {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? last : null;
}

function toContent(parts: readonly InputPart[], path: Path): Exclude<ChatContent, null> {
  return toPlainContent(parts.map((part, index) => toChatPart(part, [...path, index])));
}

/** A tool's output. Chat supports only text there. */
function toToolContent(output: string | readonly InputPart[], path: Path): ChatContent {
  if (typeof output === 'string') return output;
  const other = output.findIndex(({ type }) => type !== 'input_text' && type !== 'output_text');
  if (other !== -1) {
    throw unsupportedField(
      [...path, other],
      'The model’s server takes only text as the output of a function: send pictures and files in a message.',
    );
  }
  return toContent(output, path);
}

function toChatPart(part: InputPart, path: Path): JsonObject {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: part.text };
    case 'refusal':
      // Few servers know refusal parts; for the model the text is enough.
      return { type: 'text', text: part.refusal };
    case 'input_image': {
      if (!part.image_url) throw fileById([...path, 'image_url'], 'image_url');
      const detail = part.detail ? { detail: part.detail } : {};
      return { type: 'image_url', image_url: { url: part.image_url, ...detail } };
    }
    case 'input_file': {
      const data = part.file_data ?? part.file_url;
      if (!data) throw fileById([...path, 'file_data'], 'file_data');
      const name = part.filename ? { filename: part.filename } : {};
      return { type: 'file', file: { ...name, file_data: data } };
    }
    case 'input_audio':
      return { type: 'input_audio', input_audio: part.input_audio };
  }
}

function fileById(path: Path, field: string) {
  return unsupportedField(
    path,
    `The model’s server knows no files by their id: send the content as a data: URL in \`${field}\`.`,
  );
}
