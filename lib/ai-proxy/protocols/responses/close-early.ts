import type { JsonObject } from '#lib/http/json-value.ts';
import type { EventWriter } from './event-writer.ts';
import type { OpenItem } from './item-log.ts';

/** An item which the upstream did not finish, and the events that close it. */
export function closeEarly(
  writer: EventWriter,
  open: OpenItem,
): Readonly<{ text: string; item: JsonObject }> {
  const { index: output_index, item } = open;
  const place = { item_id: item.id, output_index };
  const done = (closed: JsonObject) =>
    writer.write('response.output_item.done', { output_index, item: closed });
  if (item.type === 'function_call') {
    const { name, arguments: written } = item;
    const fields = { ...place, name, arguments: written };
    const text = writer.write('response.function_call_arguments.done', fields);
    return { text: text + done(item), item };
  }
  if (item.type !== 'message') return { text: done(item), item };
  const ending = closePart(writer, open, { ...place, content_index: open.parts.length });
  const content = ending === null ? open.parts : [...open.parts, ending.part];
  const closed = { ...item, content };
  return { text: (ending?.text ?? '') + done(closed), item: closed };
}

/** Null if no part is open. A message has at least one part, an empty one. */
function closePart(writer: EventWriter, { part, parts }: OpenItem, place: JsonObject) {
  if (part === null && parts.length > 0) return null;
  const { type, text } = part ?? { type: 'output_text', text: '' };
  const isText = type === 'output_text';
  const toPart = (shown: string): JsonObject =>
    isText ? { type, text: shown, annotations: [], logprobs: [] } : { type, refusal: shown };
  const opening =
    part === null
      ? writer.write('response.content_part.added', { ...place, part: toPart('') })
      : '';
  const ending = isText
    ? writer.write('response.output_text.done', { ...place, text, logprobs: [] })
    : writer.write('response.refusal.done', { ...place, refusal: text });
  const closed = toPart(text);
  return {
    part: closed,
    text: opening + ending + writer.write('response.content_part.done', { ...place, part: closed }),
  };
}
