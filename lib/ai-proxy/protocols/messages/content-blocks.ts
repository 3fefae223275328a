import { type JsonObject, toText } from '#lib/http/json-value.ts';
import { toArgumentsText } from '../json/arguments.ts';

type Block = Readonly<{ index: number; type: unknown; ownIndex: unknown }>;

/** The blocks to which deltas belong, and an empty one for those that may come without a beginning. */
const blocksOf: Readonly<Record<string, Readonly<{ types: RegExp; empty?: JsonObject }>>> = {
  text_delta: { types: /^text$/, empty: { type: 'text', text: '' } },
  citations_delta: { types: /^text$/ },
  thinking_delta: {
    types: /^thinking$/,
    empty: { type: 'thinking', thinking: '', signature: '' },
  },
  signature_delta: { types: /^thinking$/ },
  input_json_delta: { types: /use$/ },
};

/** A block for a delta that has none; null: it cannot be shown. */
export function toEmptyBlock(deltaType: unknown): JsonObject | null {
  return blocksOf[String(deltaType)]?.empty ?? null;
}

/** What SDKs add deltas to: without it they would begin with `undefined`. */
const contentFields: ReadonlyMap<unknown, readonly [name: string, empty: unknown]> = new Map([
  ['text', ['text', '']],
  ['thinking', ['thinking', '']],
  ['tool_use', ['input', {}]],
]);

/** Far more than any model writes in one reply, and longer than any id. */
const [idsMax, idLengthMax] = [10_000, 200];

/** A block of a reply with its content, and an id that none before it has: Kimi’s server repeats those of parallel calls. */
export function withContent(received: JsonObject, ids: Set<string>): JsonObject {
  const id = toText(received.id);
  const own = ids.has(id) ? `${id}_${ids.size}` : id;
  if (own !== '' && own.length <= idLengthMax && ids.size < idsMax) ids.add(own);
  const block = own === id ? received : { ...received, id: own };
  const [name, empty] = contentFields.get(block.type) ?? [];
  if (name === undefined || (block[name] ?? null) !== null) return block;
  return { ...block, [name]: empty };
}

/** Words of Chat Completions, as some servers send them. */
const stopReasons: ReadonlyMap<string, string> = new Map([
  ['', 'end_turn'],
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
  ['content_filter', 'refusal'],
]);

/** A reply with a call for the client has not ended: agents run only what `tool_use` tells of (octo-agent PR 647). */
export function withStopReason(reply: JsonObject, hasCall: boolean): JsonObject {
  const received = toText(reply.stop_reason);
  const reason = stopReasons.get(received) ?? received;
  const shown = hasCall && reason === 'end_turn' ? 'tool_use' : reason;
  return shown === reply.stop_reason ? reply : { ...reply, stop_reason: shown };
}

/** The whole input of a call, as text, where it does not come in deltas; empty where it does. */
export function toWholeInput({ type, input }: JsonObject): string {
  const isCall = /use$/.test(toText(type));
  const text = isCall ? toText(toArgumentsText(input)) : '';
  return text === '{}' ? '' : text;
}

function fits({ type }: Block, deltaType: unknown): boolean {
  // By far the most frequent ones.
  if (deltaType === 'text_delta') return type === 'text';
  if (deltaType === 'input_json_delta' && type === 'tool_use') return true;
  return blocksOf[String(deltaType)]?.types.test(String(type)) ?? true;
}

/** Far more than any server has open at once. */
export const openBlocksMax = 32;

/**
 * The content blocks of a stream, numbered in the order in which they begin: SDKs find them by their place. Some servers
 * leave numbers out, send 0 for every block, forget a beginning or an end, or end a block that has not begun.
 */
export class ContentBlocks {
  #count = 0;
  #open: readonly Block[] = [];

  /** @returns its index */
  open(ownIndex: unknown, type: unknown): number {
    const index = this.#count++;
    this.#open = [...this.#open, { index, type, ownIndex }];
    return index;
  }

  close(index: number): void {
    this.#open = this.#open.filter((block) => block.index !== index);
  }

  get openIndexes(): readonly number[] {
    return this.#open.map(({ index }) => index);
  }

  /** The block that is open under an upstream’s index. */
  findOpen(ownIndex: unknown): number | null {
    return this.#find((block) => block.ownIndex === ownIndex);
  }

  /** Whether a delta is where it belongs; most are. */
  isAt(ownIndex: unknown, deltaType: unknown): boolean {
    const last = this.#open.at(-1);
    if (last === undefined || last.index !== ownIndex || last.ownIndex !== ownIndex) return false;
    return fits(last, deltaType);
  }

  /** The block that an upstream ends: that of its index, else the newest. */
  findEnding(ownIndex: unknown): number | null {
    return this.findOpen(ownIndex) ?? this.#find(() => true);
  }

  /** The open block that a delta belongs to: that of its index, else the newest, if its type fits. */
  ofDelta(ownIndex: unknown, deltaType: unknown): number | null {
    const isFitting = (block: Block) => fits(block, deltaType);
    const isOwn = (block: Block) => block.ownIndex === ownIndex && isFitting(block);
    return this.#find(isOwn) ?? this.#find(isFitting);
  }

  #find(isMeant: (block: Block) => boolean): number | null {
    return this.#open.findLast(isMeant)?.index ?? null;
  }
}
