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
  add(item: JsonObject, outputIndex: unknown): number {
    const index = this.#count++;
    this.#open.push(index);
    for (const id of toIds(item)) this.#byId.set(id, index);
    if (isIndex(outputIndex)) this.#byOwnIndex.set(outputIndex, index);
    return index;
  }

  close(index: number): void {
    const at = this.#open.indexOf(index);
    if (at >= 0) this.#open.splice(at, 1);
  }

  /** The place of an item by one of its ids; null if none of them is known. */
  ofItem(item: JsonObject): number | null {
    const [id] = toIds(item).filter((known) => this.#byId.has(known));
    return id === undefined ? null : (this.#byId.get(id) ?? null);
  }

  /** The item that an event is about; null if there is none. */
  find(id: unknown, outputIndex: unknown): number | null {
    const named = this.#byId.get(toText(id));
    if (named !== undefined) return named;
    if (isIndex(outputIndex)) return this.#byOwnIndex.get(outputIndex) ?? null;
    return this.#open.at(-1) ?? null;
  }
}

/** What tells an item from others: its id, and that of its call, which its output has, too. */
export function toIds({ id, type, call_id }: JsonObject): readonly string[] {
  const ofCall = toText(call_id) === '' ? '' : `${toText(type)} ${toText(call_id)}`;
  return [toText(id), ofCall].filter(Boolean);
}

/** The place of an event, in all fields that clients look at. */
export function isPlacedAt(event: JsonObject, index: number, id: unknown): boolean {
  return event.output_index === index && event.item_id === id;
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
