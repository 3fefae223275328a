import type { FinishReason } from './finish-reason.ts';

/**
 * One item of a streamed reply in another protocol: opened once, closed once. Deltas before it is opened are
 * queued; those after it is closed are dropped. Each method returns the text to send.
 */
export type QueuedItem = {
  /** Whether it can be opened. */
  readonly isReady: boolean;
  /** Whether it may be closed as soon as another item follows. */
  readonly isWhole: boolean;
  open(index: number): string;
  /** @param reason why the reply ended, for the item that it cut; null for one that is complete. */
  close(reason: FinishReason | null): string;
};

export type ReplyQueue<Item extends QueuedItem> = {
  /** The item that was added last. */
  readonly last: Item | undefined;
  add(item: Item): void;
  /** Opens and closes what can be; call it after each delta. */
  advance(): string;
  /** Writes and closes the remaining items. */
  finish(reason: FinishReason): string;
  /** Whether an item lacks a required value, such as the name of a function. */
  readonly isUnclear: boolean;
  /** Nothing can be shown. */
  readonly isEmpty: boolean;
  /** All items that have been opened. */
  opened(): readonly Item[];
};

/**
 * Orders the deltas of a chat reply, which may be interleaved, into consecutive items, since those of other
 * protocols never overlap. The first item that is not closed is streamed; later ones are queued. Text is
 * closed when something follows it, a call when its arguments are complete, or at the end.
 */
export function createReplyQueue<Item extends QueuedItem>(): ReplyQueue<Item> {
  const items: Item[] = [];
  /** Index of the item being streamed; those before it are closed. */
  let position = 0;
  let isOpen = false;

  function openNext(): string {
    const item = items[position];
    if (isOpen || item?.isReady !== true) return '';
    isOpen = true;
    return item.open(position);
  }

  function closeNext(reason: FinishReason | null): string {
    isOpen = false;
    return items[position++]?.close(reason) ?? '';
  }

  function advance(): string {
    let text = openNext();
    while (isOpen && position < items.length - 1 && items[position]?.isWhole) {
      text += closeNext(null) + openNext();
    }
    return text;
  }

  return {
    get last() {
      return items.at(-1);
    },
    add: (item) => void items.push(item),
    advance,
    finish(reason) {
      // A call that was cut off before its name cannot be shown.
      items.splice(position, items.length, ...items.slice(position).filter(isReady));
      let text = advance();
      for (let item = items[position]; item !== undefined; item = items[position]) {
        const isCut = position === items.length - 1 || !item.isWhole;
        text += closeNext(isCut ? reason : null) + openNext();
      }
      return text;
    },
    get isUnclear() {
      return items.some((item) => !item.isReady);
    },
    get isEmpty() {
      return !items.some(isReady);
    },
    opened: () => items.slice(0, isOpen ? position + 1 : position),
  };
}

function isReady(item: QueuedItem): boolean {
  return item.isReady;
}
