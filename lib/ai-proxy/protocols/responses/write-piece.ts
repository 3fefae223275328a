import type { JsonObject } from '#lib/http/json-value.ts';
import { toSingleLine } from '../../stream/stream-relay.ts';
import { keepSource } from '../json/source-text.ts';
import type { PieceKind } from './event-types.ts';
import type { EventWriter } from './event-writer.ts';
import { isPlacedAt } from './item-places.ts';
import type { Place } from './part-events.ts';

type Piece = Readonly<{ kind: PieceKind; event: JsonObject; data: string }>;

/** What a client gets of an event; `text`: the arguments of a call. */
type Shown = Place & Readonly<{ delta: unknown; part: unknown; text: unknown }>;

/** Writes an event of an open item: as it came, if nothing is missing. */
export function writePiece(
  writer: EventWriter,
  { kind: { type, partIndex, hasLogprobs }, event, data }: Piece,
  { item_id, output_index, delta, part, text }: Shown,
): string {
  const lacksLogprobs = hasLogprobs && !Array.isArray(event.logprobs);
  const isComplete =
    event.sequence_number === writer.nextNumber() &&
    event.type === type &&
    part === event.part &&
    delta === event.delta &&
    text === event.arguments &&
    isPlacedAt(event, output_index, item_id) &&
    (partIndex === null || event[partIndex] !== undefined);
  if (isComplete && !lacksLogprobs) return writer.pass(type, toSingleLine(data));
  keepSource(event, data);
  const { type: _, sequence_number: __, ...fields } = event;
  return writer.write(type, {
    ...fields,
    ...(partIndex !== null && { [partIndex]: fields[partIndex] ?? 0 }),
    item_id,
    output_index,
    ...(delta !== undefined && { delta }),
    ...(text !== undefined && { arguments: text }),
    ...(part !== undefined && { part }),
    ...(lacksLogprobs && { logprobs: [] }),
  });
}
