import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import {
  type AssistantMessage,
  type Call,
  type ChatContent,
  type ChatMessage,
  toPlainContent,
  toToolCall,
} from '../chat/chat-request.ts';
import { toCallFields, toOwnReturned, toReasoningFields } from '../chat/reasoning.ts';
import { withReadable } from '../json/arguments.ts';
import { type Path, unsupportedField } from '../json/check.ts';
import { writeJson } from '../json/source-text.ts';
import type { ReasoningMark } from '../reasoning-mark.ts';
import {
  type InputItem,
  isEncrypted,
  unreadablePart,
  unreadableText,
} from '../responses/read-input.ts';
import type { InputPart } from '../responses/responses-endpoint.ts';
import type { ResponsesRequest } from '../responses/responses-request.ts';
import { type ChatTools, toCustomArguments } from './chat-tools.ts';
import { findToolOfItem } from './client-tools.ts';

/** The messages so far. */
type Conversation = Readonly<{
  messages: ChatMessage[];
  /** Pictures and files of tool outputs: they follow the last output, since chat takes only text there. */
  media: JsonObject[];
  tools: ChatTools;
  /** Of calls by their ids, what only their upstream knows. */
  callFields: ReadonlyMap<string, JsonObject>;
  reasoning: ReasoningMark | undefined;
}>;

/** `reasoning` is the upstream’s; left out: all that has come back is its own. */
export type SentRequest = ResponsesRequest & Readonly<{ reasoning?: ReasoningMark }>;

/** The messages, and where the request has what each begins with. */
export type ChatMessages = Readonly<{ messages: readonly ChatMessage[]; paths: readonly Path[] }>;

/**
 * Converts the conversation to Chat Completions messages. Reasoning goes back only to the kind of
 * upstream that it came from. @throws HttpError 400 for items that chat has no place for, and for
 * files referenced by id.
 */
export function toChatMessages(
  { options, input, reasoning }: SentRequest,
  tools: ChatTools,
): ChatMessages {
  const returned = input.filter((item) => item.kind === 'reasoning');
  const callFields = toCallFields(toOwnReturned(returned, reasoning));
  const conversation: Conversation = { messages: [], media: [], tools, callFields, reasoning };
  const { messages } = conversation;
  const paths: Path[] = [];
  const fillPaths = (path: Path) => {
    while (paths.length < messages.length) paths.push(path);
  };
  if (options.instructions) messages.push({ role: 'system', content: options.instructions });
  fillPaths(['instructions']);
  for (const [index, item] of input.entries()) {
    addItem(conversation, item, ['input', index]);
    fillPaths(['input', index]);
  }
  sendMedia(conversation);
  fillPaths(['input']);
  return { messages: messages.map(withContent), paths };
}

function addItem(conversation: Conversation, item: InputItem, path: Path): void {
  if (!isOutput(item)) sendMedia(conversation);
  const { messages } = conversation;
  switch (item.kind) {
    case 'message':
      addMessage(messages, item.role, toContent(item.content, [...path, 'content']));
      return;
    case 'function_call': {
      const name = conversation.tools.toSentName(item.name, item.sent.namespace);
      addCall(conversation, { id: item.callId, name, arguments: item.arguments });
      return;
    }
    case 'function_call_output':
      addOutput(conversation, item.callId, item.output, [...path, 'output']);
      return;
    case 'reasoning': {
      const fields = toReasoningFields(toOwnReturned([item], conversation.reasoning));
      if (Object.keys(fields).length > 0) Object.assign(toAssistantTurn(messages), fields);
      return;
    }
    case 'hosted':
      addOtherItem(conversation, item, path);
  }
}

function isOutput(item: InputItem): boolean {
  return (
    item.kind === 'function_call_output' ||
    (item.kind === 'hosted' && /_call_output$/.test(item.type))
  );
}

type OtherItem = Extract<InputItem, { kind: 'hosted' }>;

/** Calls that an upstream ran itself, and settings: the conversation is clear without them. */
const leftOut = new Set([
  'additional_tools',
  'configuration_update',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'mcp_list_tools',
]);

function addOtherItem(conversation: Conversation, { type, sent }: OtherItem, path: Path): void {
  const { messages, media, tools } = conversation;
  const found = findToolOfItem(type);
  if (found !== null) {
    addClientItem(conversation, found, sent);
    return;
  }
  switch (type) {
    case 'custom_tool_call': {
      const name = tools.toSentName(toText(sent.name), sent.namespace);
      const text = toCustomArguments(toText(sent.input));
      addCall(conversation, { id: toText(sent.call_id), name, arguments: text });
      return;
    }
    case 'custom_tool_call_output': {
      const { output } = sent;
      const parts = typeof output === 'string' ? output : toParts(output);
      addOutput(conversation, toText(sent.call_id), parts, [...path, 'output']);
      return;
    }
    case 'agent_message':
      addMessage(messages, 'user', toContent(toReadable(sent.content), [...path, 'content']));
      return;
    case 'mcp_call': {
      const name = tools.toSentName(toText(sent.name), sent.server_label);
      const id = toText(sent.id);
      addCall(conversation, { id, name, arguments: toText(sent.arguments) });
      addOutput(conversation, id, toText(sent.output ?? sent.error), path);
      return;
    }
    case 'image_generation_call':
      media.push(toPicture(sent));
      return;
    case 'compaction':
    case 'context_compaction':
      messages.push({ role: 'system', content: unreadableText });
      return;
    default:
      if (leftOut.has(type)) return;
      throw unsupportedField(
        path,
        `The model’s server has no place for items of the type \`${type}\`: leave the item out.`,
      );
  }
}

function toReadable(content: unknown): readonly InputPart[] {
  return toParts(content).map((part) => (isEncrypted(part) ? unreadablePart : part));
}

function addClientItem(
  conversation: Conversation,
  { tool, isOutput }: NonNullable<ReturnType<typeof findToolOfItem>>,
  sent: JsonObject,
): void {
  // The result of a local shell has only an `id`.
  const id = toText(sent.call_id ?? sent.id);
  if (isOutput) {
    addOutput(conversation, id, tool.toOutput(sent), []);
    return;
  }
  const name = conversation.tools.toSentName(tool.type, null);
  addCall(conversation, { id, name, arguments: writeJson(toJsonObject(tool.toInput(sent))) });
}

function addMessage(
  messages: ChatMessage[],
  role: 'user' | 'assistant' | 'system' | 'developer',
  content: ChatContent,
): void {
  if (role !== 'assistant') {
    // Codex’ reviewer has such instructions, and servers of chat reject them.
    const isEmpty = content === '' && role !== 'user';
    if (!isEmpty) messages.push({ role, content });
    return;
  }
  const open = toOpenTurn(messages);
  // A message whose calls came first gets the text; a second text starts a new message.
  if (open !== null && open.content === null) open.content = content;
  else messages.push({ role, content });
}

function addCall({ messages, callFields }: Conversation, call: Call): void {
  const turn = toAssistantTurn(messages);
  turn.tool_calls ??= [];
  turn.tool_calls.push(toToolCall(withReadable(call), callFields.get(call.id)));
}

function addOutput(
  { messages, media }: Conversation,
  id: string,
  output: string | readonly InputPart[],
  path: Path,
): void {
  const parts = typeof output === 'string' ? [{ type: 'text', text: output }] : [];
  for (const [index, part] of (typeof output === 'string' ? [] : output).entries()) {
    const sent = toChatPart(part, [...path, index]);
    if (sent.type === 'text') parts.push({ type: 'text', text: toText(sent.text) });
    else media.push(sent);
  }
  if (parts.length === 0) parts.push({ type: 'text', text: '(see the files that follow)' });
  messages.push({ role: 'tool', tool_call_id: id, content: toPlainContent(parts) });
}

function sendMedia({ messages, media }: Conversation): void {
  if (media.length === 0) return;
  const intro = { type: 'text', text: 'Files from the tool outputs:' };
  messages.push({ role: 'user', content: [intro, ...media.splice(0)] });
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

/** Parts of a message as chat has them. @throws HttpError 400 for one that it has no place for */
function toContent(parts: readonly InputPart[], path: Path): Exclude<ChatContent, null> {
  return toPlainContent(parts.map((part, index) => toChatPart(part, [...path, index])));
}

function toChatPart(part: InputPart, path: Path): JsonObject {
  const { cache_control } = part;
  const sent = toBarePart(part, path);
  return cache_control ? { ...sent, cache_control } : sent;
}

function toBarePart(part: InputPart, path: Path): JsonObject {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: part.text };
    case 'refusal':
      // Few servers know refusal parts; for the model the text is enough.
      return { type: 'text', text: part.refusal };
    case 'input_image': {
      const detail = part.detail ? { detail: part.detail } : {};
      return { type: 'image_url', image_url: { url: part.image_url ?? '', ...detail } };
    }
    case 'input_file': {
      const name = part.filename ? { filename: part.filename } : {};
      return { type: 'file', file: { ...name, file_data: part.file_data ?? part.file_url ?? '' } };
    }
    case 'input_audio':
      return { type: 'input_audio', input_audio: part.input_audio };
    default:
      throw unsupportedField(
        path,
        'The model’s server takes only texts, pictures and files here: leave the part out.',
      );
  }
}

/** A picture that another model has made. */
function toPicture({ result, output_format: format }: JsonObject): JsonObject {
  const url = `data:image/${toText(format) || 'png'};base64,${toText(result)}`;
  return { type: 'image_url', image_url: { url } };
}

function toParts(value: unknown): readonly InputPart[] {
  return toJsonArray(value).map((part) => toJsonObject(part) as InputPart);
}
