import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';

/** Text of a reply in one delta or message, reasoning included, in UTF-8 bytes: for estimates. */
export function countReplyBytes(delta: JsonObject): number {
  let bytes =
    byteLength(toContentText(delta.content)) +
    byteLength(delta.refusal) +
    byteLength(toReasoning(delta));
  if (delta.tool_calls !== undefined) {
    for (const call of toJsonArray(delta.tool_calls)) {
      const { name, arguments: text } = toJsonObject(toJsonObject(call).function);
      bytes += byteLength(name) + byteLength(text);
    }
  }
  return bytes;
}

/** Text of a reply. A few upstreams send it in parts, as in requests. */
export function toContentText(content: unknown): string {
  if (!Array.isArray(content)) return toText(content);
  return content.map((part) => toText(toJsonObject(part).text)).join('');
}

/** Reasoning, which some upstreams send in a field of their own, under either name. */
export function toReasoning(delta: JsonObject): string {
  return toText(delta.reasoning_content) || toText(delta.reasoning);
}

function byteLength(value: unknown): number {
  return typeof value === 'string' && value !== '' ? Buffer.byteLength(value) : 0;
}
