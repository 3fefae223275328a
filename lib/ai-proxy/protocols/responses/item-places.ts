import { type JsonObject, toText } from '#lib/http/json-value.ts';

/**
 * Where the items of a stream are. Upstreams leave `output_index` out, send 0 for every item, or give an item another id in
 * each event: items are numbered in the order in which they come, and an event belongs to the item of its id, else to
 * the last one with its index, else to the newest that is open.
 */
export class ItemPlaces {
  readonly #byId = new Map<string, number>();
  readonly #byOwnIndex = new Map<number, number>();
  readonly #open: number[] = [];
  #count = 0;

  /** @returns the index of a new item */
  add(id: unknown, outputIndex: unknown): number {
    const index = this.#count++;
    this.#open.push(index);
    if (toText(id) !== '') this.#byId.set(toText(id), index);
    if (isIndex(outputIndex)) this.#byOwnIndex.set(outputIndex, index);
    return index;
  }

  close(index: number): void {
    const at = this.#open.indexOf(index);
    if (at >= 0) this.#open.splice(at, 1);
  }

  /** The item that has this id. */
  ofId(id: unknown): number | null {
    return this.#byId.get(toText(id)) ?? null;
  }

  /** The item that an event is about; null if there is none. */
  find(id: unknown, outputIndex: unknown): number | null {
    const named = this.ofId(id);
    if (named !== null) return named;
    if (isIndex(outputIndex)) return this.#byOwnIndex.get(outputIndex) ?? null;
    return this.#open.at(-1) ?? null;
  }
}

/** The place of an event, in all fields that clients look at. */
export function isPlacedAt(event: JsonObject, index: number, id: unknown): boolean {
  return event.output_index === index && event.item_id === id;
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
