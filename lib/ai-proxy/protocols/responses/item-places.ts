import { type JsonObject, toText } from '#lib/http/json-value.ts';

type Place = Readonly<{
  ids: readonly string[];
  /** The id of its call; empty: none. */
  callId: string;
  type: unknown;
  /** The index that the upstream has given it; null: none. */
  ownIndex: number | null;
}> & { isOpen: boolean };

/**
 * Where the items of a stream are. Upstreams leave `output_index` out, send 0 for every item, give an item another id in
 * each event, or all items the same: items are numbered in the order in which they come, and an event belongs to the
 * item of its id, else to the last one with its index, else to the newest that is open.
 */
export class ItemPlaces {
  readonly #places: Place[] = [];
  /** By id, and by type and id of the call: most have one place. */
  readonly #byId = new Map<string, number[]>();
  readonly #byOwnIndex = new Map<number, number>();

  /** @returns the index of a new item */
  add(item: JsonObject, outputIndex: unknown): number {
    const { type, call_id } = item;
    const ownIndex = isIndex(outputIndex) ? outputIndex : null;
    const ids = toIds(item);
    const place = { ids, callId: toText(call_id), type, ownIndex, isOpen: true };
    const index = this.#places.push(place) - 1;
    for (const name of ids) {
      const named = this.#byId.get(name);
      if (named === undefined) this.#byId.set(name, [index]);
      else named.push(index);
    }
    if (ownIndex !== null) this.#byOwnIndex.set(ownIndex, index);
    return index;
  }

  close(index: number): void {
    const place = this.#places[index];
    if (place !== undefined) place.isOpen = false;
  }

  /** Whether another item has this id. */
  isTaken(id: unknown): boolean {
    return this.#named(toText(id)).length > 0;
  }

  /** The place of an item by one of its ids; null if none of those that are known has them. */
  ofItem(item: JsonObject, outputIndex?: unknown): number | null {
    return this.#select(this.#sameAs(item), outputIndex);
  }

  /** The place of an item of the complete output. */
  ofFinal(item: JsonObject, at: number): number | null {
    const there = this.#places[at];
    const isThere = toIds(item).some((name) => there?.ids.includes(name)) && isSame(there, item);
    return isThere ? at : this.#select(this.#sameAs(item), undefined);
  }

  /** Whether the upstream has given the item another index than this. */
  isElsewhere(index: number, outputIndex: unknown): boolean {
    const ownIndex = this.#places[index]?.ownIndex ?? null;
    return isIndex(outputIndex) && ownIndex !== null && ownIndex !== outputIndex;
  }

  /** The item that an event is about; null if there is none. */
  find(id: unknown, outputIndex: unknown): number | null {
    const named = this.#named(toText(id));
    const [only] = named;
    if (only !== undefined) return named.length === 1 ? only : this.#select(named, outputIndex);
    if (isIndex(outputIndex)) return this.#byOwnIndex.get(outputIndex) ?? null;
    const open = this.#places.findLastIndex(({ isOpen }) => isOpen);
    return open < 0 ? null : open;
  }

  #sameAs(item: JsonObject): readonly number[] {
    const named = toIds(item).flatMap((name) => this.#named(name));
    return named.filter((index) => isSame(this.#places[index], item));
  }

  #named(name: string): readonly number[] {
    return this.#byId.get(name) ?? noPlaces;
  }

  /** Of several items with one id, that of the index, else the newest that is open. */
  #select(indexes: readonly number[], outputIndex: unknown): number | null {
    const isAt = (index: number) => this.#places[index]?.ownIndex === outputIndex;
    const isOpen = (index: number) => this.#places[index]?.isOpen === true;
    return (
      indexes.findLast((index) => isOpen(index) && isAt(index)) ??
      indexes.findLast(isOpen) ??
      indexes.findLast(isAt) ??
      indexes.at(-1) ??
      null
    );
  }
}

const noPlaces: readonly number[] = [];

/** Items of one id are different ones if their types or calls are. */
function isSame(place: Place | undefined, { type, call_id }: JsonObject): boolean {
  const callId = toText(call_id);
  const isOtherCall = callId !== '' && place?.callId !== '' && callId !== place?.callId;
  return place !== undefined && place.type === type && !isOtherCall;
}

/** What tells an item from others: its id, and that of its call. */
export function toIds({ id, type, call_id }: JsonObject): readonly string[] {
  const ofCall = toText(call_id) === '' ? '' : `${toText(type)} ${toText(call_id)}`;
  return [toText(id), ofCall].filter(Boolean);
}

/** The place of an event, in all fields that clients look at. */
export function isPlacedAt(event: JsonObject, index: number, id: unknown): boolean {
  return event.output_index === index && event.item_id === id;
}

export function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
