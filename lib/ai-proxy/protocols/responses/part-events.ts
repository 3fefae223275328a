import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import type { EventWriter } from './event-writer.ts';

/** A content part of a message as far as it has been received: `output_text` or `refusal`. */
export type ContentPart = { readonly type: string; text: string };

/** Of an item in its stream. */
export type Place = Readonly<{ item_id: unknown; output_index: number }>;
type PartPlace = Place & Readonly<{ content_index: number }>;

/** Clients add deltas only to a part that has begun. */
export function startPart(writer: EventWriter, place: PartPlace, type: string): string {
  return writer.write('response.content_part.added', { ...place, part: toPart(type, '') });
}

export function endPart(
  writer: EventWriter,
  place: PartPlace,
  { type, text }: Readonly<ContentPart>,
): Readonly<{ part: JsonObject; text: string }> {
  const part = toPart(type, text);
  const ending =
    type === 'refusal'
      ? writer.write('response.refusal.done', { ...place, refusal: text })
      : writer.write('response.output_text.done', { ...place, text, logprobs: [] });
  return { part, text: ending + writer.write('response.content_part.done', { ...place, part }) };
}

/** The texts of a message that came without deltas, from which most clients read them. */
export function writeTexts(writer: EventWriter, place: Place, message: JsonObject): string {
  const texts = toJsonArray(message.content).map((part, content_index) => {
    const { type, text, refusal } = toJsonObject(part);
    const shown = toText(text ?? refusal);
    if (shown === '') return '';
    const at = { ...place, content_index };
    const kind = type === 'refusal' ? 'refusal' : 'output_text';
    const logprobs = kind === 'refusal' ? {} : { logprobs: [] };
    return (
      startPart(writer, at, kind) +
      writer.write(`response.${kind}.delta`, { ...at, delta: shown, ...logprobs }) +
      endPart(writer, at, { type: kind, text: shown }).text
    );
  });
  return texts.join('');
}

function toPart(type: string, text: string): JsonObject {
  return type === 'refusal'
    ? { type, refusal: text }
    : { type, text, annotations: [], logprobs: [] };
}
