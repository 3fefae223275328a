import { isJsonObject, type JsonObject } from '#lib/http/json-value.ts';
import type { ReasoningMark } from '../reasoning-mark.ts';
import {
  type DeltaPieces,
  type FinishReason,
  type ReasoningPiece,
  readCallFields,
  readPieces,
} from './choice.ts';
import { type Citation, readCitations } from './citations.ts';
import {
  ItemSequence,
  type ItemWriter,
  isClosed,
  isCut,
  type ReplyItem,
  type ReplyPart,
} from './item-sequence.ts';
import { ReasoningCollector } from './reasoning.ts';
import { type CallPiece, ToolCalls } from './tool-calls.ts';

export type ReplyItemsOptions = Readonly<{
  /** Whether there are items of reasoning; else what the next turn needs of it comes with the calls. */
  showsReasoning: boolean;
  /** Of the upstream. */
  reasoning: ReasoningMark;
  newCallId: () => string;
}>;

/** Far more than any reply has. */
const citationsMax = 1000;

/** For replies that are not streamed. */
const silent: ItemWriter = { open: () => '', write: () => '', close: () => '' };

/**
 * Orders the deltas of a chat reply, which may be interleaved, into consecutive items, since those of other
 * protocols never overlap.
 */
export class ReplyItems {
  readonly #sequence: ItemSequence;
  readonly #showsReasoning: boolean;
  readonly #newCallId: () => string;
  readonly #mark: ReasoningMark;
  readonly #toolCalls = new ToolCalls();
  readonly #calls = new Map<number, ReplyItem>();
  /** The last one. */
  #message: ReplyItem | null = null;
  readonly #cited = new Set<string>();
  /** What came before the text that it belongs to. */
  readonly #uncited: Citation[] = [];
  /** Reasoning that is not shown, until a call takes it along. */
  #hidden: ReasoningCollector;

  constructor(
    { showsReasoning, newCallId, reasoning }: ReplyItemsOptions,
    writer: ItemWriter = silent,
  ) {
    this.#mark = reasoning;
    this.#hidden = this.#createReasoning();
    this.#sequence = new ItemSequence(writer, newCallId);
    this.#showsReasoning = showsReasoning;
    this.#newCallId = newCallId;
  }

  get hasNamelessCall(): boolean {
    return this.#sequence.hasNamelessCall;
  }

  /** Whether a call lacks its name, or a part of its arguments. */
  get hasCutCall(): boolean {
    return this.hasNamelessCall || [...this.#calls.values()].some(isCut);
  }

  get hasCalls(): boolean {
    return this.#calls.size > 0;
  }

  /** Those that have been opened, as far as they have been received. */
  get opened(): readonly ReplyItem[] {
    return this.#sequence.opened;
  }

  /** Takes a delta; returns what can be sent of it. */
  add(delta: JsonObject, pieces: DeltaPieces = readPieces(delta)): string {
    const { content, refusal, reasoning, calls } = pieces;
    let text = reasoning === null ? '' : this.#addReasoning(reasoning);
    if (content !== '') text += this.#addText('text', content);
    if (refusal !== '') text += this.#addText('refusal', refusal);
    // Most deltas have none.
    if (delta.annotations !== undefined) this.cite(readCitations(delta));
    // The form before tools.
    if (isJsonObject(delta.function_call)) text += this.#addCall({ function: delta.function_call });
    for (const call of calls) text += this.#addCall(call);
    return text;
  }

  /** Sources of the text, which some upstreams repeat with each piece of it. */
  cite(citations: readonly Citation[]): void {
    for (const citation of citations) {
      const name = JSON.stringify([citation.url, citation.place]);
      if (this.#cited.has(name) || this.#cited.size === citationsMax) continue;
      this.#cited.add(name);
      const isOpen = this.#message !== null && !isClosed(this.#message);
      (isOpen ? this.#message?.citations : this.#uncited)?.push(citation);
    }
  }

  /** Writes and closes the remaining items. A reply without text or calls gets an empty message. */
  finish(reason: FinishReason): string {
    // Sources of a text that was closed before them: the complete reply has them.
    this.#message?.citations.push(...this.#uncited.splice(0));
    const ends = this.#toolCalls.end().map((piece) => this.#addPiece(piece, null));
    // Fields of a call that came after it was begun, and that no later call has taken along.
    if (this.#hidden.hasCalls) this.#sequence.add('reasoning', this.#takeHidden());
    return ends.join('') + this.#sequence.finish(reason, this.#createReasoning());
  }

  #addText(kind: ReplyPart['kind'], text: string): string {
    const { last } = this.#sequence;
    const item =
      last?.kind === 'message' ? last : this.#sequence.add('message', this.#createReasoning());
    this.#message = item;
    if (this.#uncited.length > 0) item.citations.push(...this.#uncited.splice(0));
    return this.#sequence.append(item, kind, text);
  }

  #addReasoning(piece: ReasoningPiece): string {
    if (!this.#showsReasoning) {
      this.#hidden.add(piece);
      return '';
    }
    const item = this.#lastReasoning();
    item.reasoning.add(piece);
    return this.#sequence.append(item, 'reasoning', piece.text);
  }

  /** The reasoning at the end of what has come so far. */
  #lastReasoning(): ReplyItem {
    const { last } = this.#sequence;
    return last?.kind === 'reasoning'
      ? last
      : this.#sequence.add('reasoning', this.#createReasoning());
  }

  #addCall(call: JsonObject): string {
    const pieces = this.#toolCalls.take(call);
    const fields = readCallFields(call);
    return pieces
      .map((piece, at) => this.#addPiece(piece, at === pieces.length - 1 ? fields : null))
      .join('');
  }

  #addPiece({ index, id, name, text }: CallPiece, fields: JsonObject | null): string {
    // Shown before the call that it belongs to, unless that has come earlier.
    const shown = fields !== null && this.#showsReasoning ? this.#lastReasoning() : null;
    const item = this.#calls.get(index) ?? this.#sequence.add('call', this.#takeHidden());
    this.#calls.set(index, item);
    if (item.status === 'waiting') {
      item.callId ||= id;
      item.name ||= name;
    }
    if (fields !== null) {
      item.callId ||= this.#newCallId();
      const carrier =
        shown?.reasoning ?? (item.status === 'waiting' ? item.reasoning : this.#hidden);
      carrier.addCall(item.callId, fields);
    }
    return this.#sequence.append(item, 'arguments', text);
  }

  #createReasoning(): ReasoningCollector {
    return new ReasoningCollector(this.#mark);
  }

  #takeHidden(): ReasoningCollector {
    const taken = this.#hidden;
    this.#hidden = this.#createReasoning();
    return taken;
  }
}
