import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { toPlainContent } from '../protocols/chat/chat-request.ts';
import {
  changeMessages,
  eachIn,
  eachMessage,
  inOrder,
  joinContents,
  ofAllChat,
  omit,
} from './changes.ts';
import type { Quirk } from './quirk.ts';

/** What servers, and the templates of their models, reject of the roles of messages and of their content. */
export const roleQuirks: readonly Quirk[] = [
  {
    name: 'developer',
    changes: { translated: eachMessage(asSystem) },
  },
  {
    name: 'cache_control',
    field: {
      nestedNames: ['cache_control'],
      isSent: (_, sent) => sent.includes('"cache_control":'),
    },
    changes: {
      translated: inOrder(
        (request) => omit(request, 'cache_control'),
        eachMessage(withPlainContent),
        eachIn('tools', (tool) => omit(tool, 'cache_control')),
      ),
    },
  },
  {
    name: 'content_parts',
    texts: [
      // Cloudflare; NVIDIA; servers in Rust, Go, Swift, and those with pydantic
      /^(?:aierror: )?bad input: error: oneof at '\/' not met\b.{0,400}?type mismatch of '\/messages\/[^']{1,20}\/content', 'array' not in 'string'/i,
      /^sequence item \d+: expected str instance, list found/i,
      /^(?:failed to deserialize the json body into the target type: )?messages\[\d+\](?:\.content)?: invalid type: sequence, expected a string/i,
      /^json: cannot unmarshal array into go struct field [\w.]{1,60}content of type string/i,
      /^type mismatch for 'messages\.\d+\.content' key, expected 'string' type/i,
      /^messages\.\d+\.content(?:\.str)?: (?:str type expected|input should be a valid string)/i,
    ],
    changes: {
      // Pictures and files stay parts.
      translated: eachMessage((message) =>
        Array.isArray(message.content) ? { ...message, content: joinContents([message]) } : message,
      ),
    },
    server: 'takes one text as the content of a message',
    gets: 'several as one, and pictures as they are',
  },
  {
    name: 'tool_media',
    texts: [
      // OpenAI; servers of DeepSeek’s models that see; gateways
      /^(?:invalid '[^']{1,40}'\. )?image urls are only allowed for messages with role 'user'/i,
      /^images are supported in user messages only\b/i,
      /^(?:invalid value for 'messages\.\d+': )?image, video, and audio parts are valid only for user messages/i,
    ],
    changes: { chat: changeMessages(withMediaOfUser) },
    server: 'takes pictures only in messages of the user',
    gets: 'those of a tool’s result in a message of the user after it',
  },
  {
    name: 'system',
    texts: [
      // Gemma, in several servers and at Google
      /\bsystem role (?:is )?not supported\b|\bdeveloper instruction is not enabled\b/i,
      // MiniMax, in its older versions
      /\binvalid message role: system\b/i,
      // OpenAI, of models for agents
      /^system messages are not allowed\b/i,
    ],
    tell: 'This model takes no role `system`: put instructions into the first message of the role `user`.',
    changes: { translated: changeMessages((messages) => withTurns(messages.map(asUser))) },
    server: 'takes no `system`',
    gets: 'instructions as texts of the user',
  },
  {
    name: 'later_system',
    texts: [
      // Qwen and others
      /\bsystem messages? must be (?:at the beginning|the first)\b/i,
      // MiniMax, which takes one message of the role system
      /\binvalid chat setting\b/i,
    ],
    tell: 'This model takes the role `system` only in the first message: send later ones as `user`.',
    changes: {
      translated: changeMessages(withOneSystem),
      messages: changeMessages(foldSystemTurns),
    },
    server: 'takes `system` only in the first message',
    gets: 'later ones as messages of the user, in native Messages, too',
  },
  {
    name: 'later_system',
    texts: [
      // Mistral
      /^unexpected role 'system' after role '\w+'/i,
      // Servers of Messages: Anthropic, LM Studio, DeepSeek, those with pydantic
      /^messages: unexpected role "system"/i,
      /^(?:[\w .]{0,70}: )?(?:request\.)?messages[.[]\d+\]?\.role:? (?:unknown variant `system`|must be .{0,40}\bbut got 'system'|(?:invalid \w+ value\. expected|input should be) 'user'(?: \| | or )'assistant'(?! \|))/i,
      /^\[\s*\{\s*"received": ?"system",\s*"code": ?"invalid_enum_value"[^}]{0,200}?"path": ?\[\s*"messages",\s*\d+,\s*"role"\s*\]/,
    ],
  },
  {
    name: 'repeated_roles',
    texts: [
      // Templates of Gemma, Llama 2 and Mistral; Bedrock
      /\broles must alternate\b|\bmust alternate between\b|\bshould alternate with\b/i,
      // Perplexity
      /\bafter the \(optional\) system message\(s\), user or tool message\(s\) should alternate with\b/i,
    ],
    tell: 'The messages must alternate between `user` and `assistant` for this model.',
    changes: { translated: changeMessages(withTurns) },
    server: 'takes no two messages of one role in a row',
    gets: 'these as one message',
  },
  {
    code: 'unsupported_parameter',
    texts: [
      /\bassistant message prefill\b|\bmust end with a user message\b|\bexpected last role user\b/i,
    ],
    tell: 'The last message has to be one of the user for this model.',
  },
  {
    texts: [
      /\bmust (?:be|have) non-empty\b|\bnon-empty content\b|\bmust contain at least one part\b|\bcontents? (?:is|are) not specified\b/i,
    ],
    tell: ({ field }) => `${field ?? 'The content of a message'} must not be empty.`,
  },
  {
    name: 'null_content',
    texts: [
      // Ollama and LM Studio, in their older versions; servers in Rust
      /^invalid message content type: <nil>/i,
      /^invalid 'content': 'content' field must be a string\b/i,
      /^(?:failed to deserialize the json body into the target type: )?messages\[\d+\]: missing field `content`/i,
    ],
    changes: ofAllChat(
      eachMessage((message) =>
        (message.content ?? null) === null ? { ...message, content: '' } : message,
      ),
    ),
    server: 'takes no `null` as the content beside calls',
    gets: 'an empty text',
  },
];

/** Pictures and files of tools follow all results that belong together. */
function withMediaOfUser(messages: readonly JsonObject[]): readonly JsonObject[] {
  let media: readonly JsonObject[] = [];
  return messages.flatMap((message, at) => {
    if (message.role !== 'tool') return [message];
    const parts = toJsonArray(message.content).map(toJsonObject);
    media = [...media, ...parts.filter(({ type }) => type !== 'text')];
    const result = parts.length === 0 ? message : { ...message, content: toResultText(parts) };
    if (media.length === 0 || messages[at + 1]?.role === 'tool') return [result];
    const content = media;
    media = [];
    return [result, { role: 'user', content }];
  });
}

function toResultText(parts: readonly JsonObject[]): string {
  const texts = parts.filter(({ type }) => type === 'text').map(({ text }) => toText(text));
  return texts.join('\n') || '(see the files that follow)';
}

/** Without marks for a cache, parts of text are as good as a plain text, which more servers take. */
function withPlainContent(message: JsonObject): JsonObject {
  const { role, content } = message;
  if (!Array.isArray(content)) return message;
  const parts = content.map((part) => omit(toJsonObject(part), 'cache_control'));
  return {
    ...message,
    content: role === 'system' ? joinContents([message]) : toPlainContent(parts),
  };
}

function asSystem(message: JsonObject): JsonObject {
  return message.role === 'developer' ? { ...message, role: 'system' } : message;
}

/** One message at the beginning; later ones stay where they are, since moving them would defeat the prompt cache. */
function withOneSystem(messages: readonly JsonObject[]): readonly JsonObject[] {
  const found = messages.findIndex(({ role }) => role !== 'system');
  const end = found < 0 ? messages.length : found;
  const first = messages.slice(0, end);
  const rest = messages.slice(end).map(asUser);
  if (first.length < 2) return [...first, ...rest];
  return [{ role: 'system', content: joinContents(first) }, ...rest];
}

function asUser(message: JsonObject): JsonObject {
  return message.role === 'system' ? { ...message, role: 'user' } : message;
}

/** One message of the user, then one of the assistant, except for calls and their results. */
function withTurns(messages: readonly JsonObject[]): readonly JsonObject[] {
  const turns: JsonObject[] = [];
  for (const message of messages) {
    const before = turns.at(-1);
    const isSame =
      before?.role === message.role &&
      (message.role === 'user' || message.role === 'assistant') &&
      before?.tool_calls === undefined;
    if (before === undefined || !isSame) turns.push(message);
    else turns.splice(-1, 1, { ...before, ...message, content: joinContents([before, message]) });
  }
  return turns;
}

/** System messages of Messages as texts of the user, in one turn with what stands beside them. */
function foldSystemTurns(messages: readonly JsonObject[]): readonly JsonObject[] {
  if (messages.every(({ role }) => role !== 'system')) return messages;
  const folded: JsonObject[] = [];
  for (const turn of messages.map(asUser)) {
    const last = folded.at(-1);
    if (turn.role !== 'user' || last?.role !== 'user') folded.push(turn);
    else folded[folded.length - 1] = joinTurns(last, turn);
  }
  return folded;
}

/** Results of tools come first in their turn. */
function joinTurns(before: JsonObject, after: JsonObject): JsonObject {
  const blocks = [...toBlocks(before), ...toBlocks(after)];
  const isResult = ({ type }: JsonObject) => type === 'tool_result';
  const others = blocks.filter((block) => !isResult(block));
  return { ...before, content: [...blocks.filter(isResult), ...others] };
}

function toBlocks({ content }: JsonObject): readonly JsonObject[] {
  return Array.isArray(content)
    ? toJsonArray(content).map(toJsonObject)
    : [{ type: 'text', text: toText(content) }];
}
