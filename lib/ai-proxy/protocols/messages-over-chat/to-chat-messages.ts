import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import {
  type AssistantMessage,
  type ChatContent,
  type ChatMessage,
  toPlainContent,
  toToolCall,
} from '../chat/chat-request.ts';
import { toFunctionName } from '../chat/function-tool.ts';
import { splitCallId, toCallFields, toOwnReturned, toReasoningFields } from '../chat/reasoning.ts';
import { type Path, unsupportedField } from '../json/check.ts';
import { writeJson } from '../json/source-text.ts';
import type { MessageParam } from '../messages/messages-endpoint.ts';
import type { MessagesRequest } from '../messages/messages-request.ts';
import type { ReasoningMark } from '../reasoning-mark.ts';

/** A message, and where the request has what it was made of. */
type SentMessage = Readonly<{ message: ChatMessage; path: Path }>;

/** `reasoning` is the upstream’s; left out: all that has come back is its own. */
export type SentRequest = MessagesRequest & Readonly<{ reasoning?: ReasoningMark }>;

/** Converts the conversation. @throws HttpError 400 for content that chat has no place for. */
export function toChatMessages({
  options,
  messages,
  reasoning,
}: SentRequest): readonly SentMessage[] {
  const system = toSystemContent(options.system);
  const turns = messages.flatMap((turn, index) => {
    const path = ['messages', index];
    return toTurns(turn, [...path, 'content'], reasoning).map((message) => ({ message, path }));
  });
  if (system === null) return turns;
  return [{ message: { role: 'system', content: system }, path: ['system'] }, ...turns];
}

function toTurns(
  turn: MessageParam,
  path: Path,
  reasoning: ReasoningMark | undefined,
): readonly ChatMessage[] {
  const blocks = toBlocks(turn);
  return turn.role === 'assistant'
    ? [toAssistantMessage(blocks, path, reasoning)]
    : toTurn(turn.role, blocks, path);
}

/** Claude Code’s first line changes with every request: it would defeat the upstream’s prompt cache. */
const billingLine = /^x-anthropic-billing-header:.*\n*/;

function toSystemContent(system: MessagesRequest['options']['system']): ChatContent {
  if (typeof system === 'string') return system.replace(billingLine, '') || null;
  const blocks = (system ?? [])
    .map((block): JsonObject => ({ ...block, text: block.text.replace(billingLine, '') }))
    .filter(({ text }) => text !== '');
  if (blocks.length === 0) return null;
  const isPlain = blocks.every(({ cache_control }) => !cache_control);
  return isPlain
    ? blocks.map(({ text }) => text).join('\n\n')
    : blocks.map((block) => toTextPart(block));
}

function toBlocks({ content }: MessageParam): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** A turn’s tool results become messages of their own, before the rest of it. */
function toTurn(role: 'user' | 'system', blocks: readonly JsonObject[], path: Path): ChatMessage[] {
  const results: ChatMessage[] = [];
  const parts: JsonObject[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.type !== 'tool_result') {
      parts.push(toPart(block, [...path, index]));
      continue;
    }
    const { message, media } = toToolMessage(block, [...path, index, 'content']);
    results.push(message);
    parts.push(...media);
  }
  return parts.length === 0 && results.length > 0
    ? results
    : [...results, { role, content: toPlainContent(parts) }];
}

type ToolResult = Readonly<{ message: ChatMessage; media: readonly JsonObject[] }>;

/** Chat takes only text as the result of a tool: pictures and files follow in a message of the user. */
function toToolMessage(result: JsonObject, path: Path): ToolResult {
  const { content, tool_use_id: id, cache_control } = result;
  const { id: callId } = splitCallId(toText(id));
  const blocks =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : toJsonArray(content).map((block) => toPlainBlock(toJsonObject(block)));
  const texts = blocks.flatMap(({ type, text: own, tool_name: tool }) => {
    // All tools are sent, so that the model needs only the name of one that was found.
    if (type === 'tool_reference') return [`Found tool: ${toText(tool)}`];
    return type === 'text' ? [toText(own)] : [];
  });
  const files = blocks
    .map((block, index) => ({ block, at: [...path, index] }))
    .filter(({ block }) => block.type !== 'text' && block.type !== 'tool_reference');
  const text = (result.is_error === true ? ['Error:', ...texts] : texts).join('\n');
  const note = files.length === 0 ? '' : '(see the files that follow)';
  const part = toTextPart({ text: text || note, cache_control });
  const message = {
    role: 'tool',
    tool_call_id: callId,
    content: toPlainContent([part]),
  } as const;
  if (files.length === 0) return { message, media: [] };
  const intro = { type: 'text', text: `Files of the tool result ${callId}:` };
  return { message, media: [intro, ...files.map(({ block, at }) => toPart(block, at))] };
}

function toAssistantMessage(
  blocks: readonly JsonObject[],
  path: Path,
  reasoning: ReasoningMark | undefined,
): AssistantMessage {
  const parts: JsonObject[] = [];
  const returned = toOwnReturned(blocks.flatMap(readReturned), reasoning);
  const callFields = toCallFields(returned);
  const calls: NonNullable<AssistantMessage['tool_calls']> = [];
  for (const [index, block] of blocks.entries()) {
    if (block.type === 'thinking') continue;
    if (block.type === 'tool_use') {
      const { id } = splitCallId(toText(block.id));
      const name = toFunctionName(toText(block.name));
      const call = { id, name, arguments: writeJson(toJsonObject(block.input)) };
      calls.push(toToolCall(call, callFields.get(id)));
    } else if (!isOfUpstreamTool(toText(block.type))) {
      parts.push(toPart(block, [...path, index]));
    }
  }
  const content = parts.length === 0 && calls.length > 0 ? null : toPlainContent(parts);
  return {
    role: 'assistant',
    content,
    ...toReasoningFields(returned),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** What has come back for the upstream. */
function readReturned({ type, id, thinking, signature }: JsonObject) {
  if (type === 'thinking') return [{ text: toText(thinking), token: signature }];
  return type === 'tool_use' ? splitCallId(toText(id)).returned : [];
}

/** Tool calls that another upstream ran itself: the text around them has their results. */
function isOfUpstreamTool(type: string): boolean {
  return /^(?:redacted_thinking|server_tool_use|mcp_tool_use|\w+_tool_result)$/.test(type);
}

function toPart(block: JsonObject, path: Path): JsonObject {
  switch (block.type) {
    case 'text':
      return toTextPart(block);
    case 'image':
      return withCacheControl(block, {
        type: 'image_url',
        image_url: { url: toUrl(block, [...path, 'source']) },
      });
    case 'search_result':
      return toTextPart(toPlainBlock(block));
    case 'document':
      return toDocumentPart(block, path);
    default:
      throw unsupportedField(
        path,
        `The model’s server has no place for blocks of the type \`${toText(block.type)}\`: leave the block out.`,
      );
  }
}

/** A search result as a text, with its title and source, which chat has no fields for; any other block as it is. */
function toPlainBlock(block: JsonObject): JsonObject {
  if (block.type !== 'search_result') return block;
  const { title, source, content, cache_control } = block;
  const texts = toJsonArray(content).map((inner) => toText(toJsonObject(inner).text));
  const text = [title, source, ...texts].map(toText).filter(Boolean).join('\n');
  return { type: 'text', text, cache_control };
}

function toDocumentPart(block: JsonObject, path: Path): JsonObject {
  const { type, data, content } = toJsonObject(block.source);
  if (type === 'text') return toTextPart({ ...block, text: data });
  if (type === 'content') {
    const blocks = typeof content === 'string' ? [{ text: content }] : toJsonArray(content);
    const texts = blocks.map((inner, index) =>
      toBlockText(toJsonObject(inner), [...path, 'source', 'content', index]),
    );
    return toTextPart({ ...block, text: texts.join('\n') });
  }
  const url = toUrl(block, [...path, 'source']);
  const file = { filename: toText(block.title) || 'document.pdf', file_data: url };
  return withCacheControl(block, { type: 'file', file });
}

function toBlockText({ type = 'text', text }: JsonObject, path: Path): string {
  if (type === 'text') return toText(text);
  throw unsupportedField(
    path,
    'The model’s server takes only texts inside a document: send the picture as a block of its own.',
  );
}

function toUrl(block: JsonObject, path: Path): string {
  const { type, data, media_type: mediaType, url } = toJsonObject(block.source);
  if (type === 'url') return toText(url);
  if (type === 'base64') return `data:${toText(mediaType)};base64,${toText(data)}`;
  throw unsupportedField(
    [...path, 'type'],
    'The model’s server takes the content itself: send it as a `base64` or `url` source.',
  );
}

function toTextPart(block: JsonObject): JsonObject {
  return withCacheControl(block, { type: 'text', text: toText(block.text) });
}

function withCacheControl({ cache_control }: JsonObject, part: JsonObject): JsonObject {
  return cache_control ? { ...part, cache_control } : part;
}
