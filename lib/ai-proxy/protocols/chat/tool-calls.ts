import { isDeepStrictEqual } from 'node:util';
import {
  isJsonObject,
  type JsonObject,
  parseJsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { toArgumentsText } from '../json/arguments.ts';
import { readCalls } from './choice.ts';

/** A piece of a call, in the form that clients expect. */
export type CallPiece = Readonly<{
  /** The place of the call among those of the reply, from 0. */
  index: number;
  isFirst: boolean;
  /** Empty where it is known already, or the upstream gives none, or that of another call. */
  id: string;
  name: string;
  /** Of its arguments. */
  text: string;
}>;

type Call = {
  id: string;
  name: string;
  /** The index that the upstream gave it. */
  ownIndex: number | null;
  /** Its input is a text, not JSON. */
  isCustom: boolean;
  /** What was sent of its arguments: to look into it costs a copy of all, so that a piece is looked at first. */
  text: string;
  /** The last piece of `text`. */
  last: string;
  /** They are complete: whatever follows repeats them. */
  isComplete: boolean;
  /** What is sent only once it is clear what it is. */
  held: HeldText | null;
};

/** `joined`: all pieces since it is not clear. */
type HeldText = Readonly<{ joined: string; last: string }>;

const emptyArguments = '{}';
/** More than any model makes in one reply: a call is looked for among all. */
const callsMax = 256;
/** Arguments beyond it are not stored, and not found when they are repeated: an endless stream fills no memory. */
const comparedLengthMax = 256 * 1024;

/**
 * Tells the calls of a reply apart, whose pieces come in any order. Upstreams count them from 1, leave the index out or send
 * 0 for every call, repeat ids and names, or make them up anew for each piece: a call begins with a name, and its
 * index says which it is, unless another id, name or whole arguments contradict it. Of several with one index, the id says it.
 */
export class ToolCalls {
  readonly #calls: Call[] = [];
  readonly #ids = new Set<string>();
  /** What has come of calls without a name, by their place: clients take that of the first piece alone. */
  readonly nameless = new Map<number, JsonObject>();

  get count(): number {
    return this.#calls.length;
  }

  /** The pieces to send for one that was received: the end of the call before it may come first. Of calls too many, none. */
  take(call: JsonObject): readonly CallPiece[] {
    const { name: receivedName, arguments: received } = toJsonObject(call.function ?? call.custom);
    // vLLM writes `null` as a text.
    const [id, name] = [toText(call.id), receivedName === 'null' ? '' : toText(receivedName)];
    const ownIndex = toOwnIndex(call.index);
    const text = toText(toArgumentsText(received));
    const found = this.#find({ id, name, ownIndex, text });
    const isFirst = found === null;
    if (isFirst && this.count === callsMax) return [];
    const isRepeated = this.#ids.has(id);
    const ended = isFirst ? this.#release(isReadable) : [];
    const isCustom = isJsonObject(call.custom);
    const index = found ?? this.#add({ id, name, ownIndex, isCustom });
    const known = this.#calls[index];
    if (known === undefined) return ended;
    const piece = {
      index,
      isFirst,
      id: (isFirst || known.id === '') && !isRepeated ? id : '',
      name: isFirst || known.name === '' ? name : '',
      text: takeText(known, text),
    };
    if (known.id === '') this.#ids.add(id);
    known.id ||= id;
    known.name ||= name;
    return ended.length === 0 ? [piece] : [...ended, piece];
  }

  /** What calls still lack, once no more of them follows. Arguments that never came are an empty object. */
  end(): readonly CallPiece[] {
    for (const call of this.#calls) {
      if (call.text === '' && !call.isCustom) call.held ??= toHeld(emptyArguments);
    }
    return this.#release(() => true);
  }

  /** What was held, as far as it may be sent. */
  #release(mayBeSent: (call: Call, text: string) => boolean): readonly CallPiece[] {
    return this.#calls.flatMap((call, index) => {
      if (call.held === null) return [];
      const text = findRest(call.text, call.held);
      if (!mayBeSent(call, text)) return [];
      call.held = null;
      call.text += text;
      call.last = text;
      return [{ index, isFirst: false, id: '', name: '', text }];
    });
  }

  /** @param text of the arguments in the piece */
  #find({
    id,
    name,
    ownIndex,
    text,
  }: Pick<Call, 'id' | 'name' | 'ownIndex' | 'text'>): number | null {
    if (ownIndex === null) {
      const at = id === '' ? -1 : this.#calls.findLastIndex((call) => call.id === id);
      if (at >= 0) return at;
      return name === '' && this.count > 0 ? this.count - 1 : null;
    }
    const isOfIndex = (call: Call) => call.ownIndex === ownIndex;
    const own =
      id === '' ? -1 : this.#calls.findLastIndex((call) => isOfIndex(call) && call.id === id);
    if (own >= 0) return own;
    const at = this.#calls.findLastIndex(isOfIndex);
    const found = this.#calls[at];
    // A piece of nothing that was begun belongs to the newest call.
    if (found === undefined) return id + name === '' && this.count > 0 ? this.count - 1 : null;
    const isOther =
      name !== '' &&
      (id !== '' && found.id !== ''
        ? id !== found.id
        : found.name !== '' && (name !== found.name || isAnotherWhole(found, text)));
    if (!isOther) return at;
    const named = this.#calls.findLastIndex((call) => call.id !== '' && call.id === id);
    return named >= 0 ? named : null;
  }

  #add(begun: Pick<Call, 'id' | 'name' | 'ownIndex' | 'isCustom'>): number {
    this.#ids.add(begun.id);
    return this.#calls.push({ ...begun, text: '', last: '', isComplete: false, held: null }) - 1;
  }
}

function toOwnIndex(value: unknown): number | null {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null;
}

/** What a piece adds to the arguments of its call. */
function takeText(call: Call, text: string): string {
  if (text === '' || call.isComplete) return '';
  if (call.text === '' && text === emptyArguments) {
    // The arguments, or a placeholder for those that follow.
    call.held = toHeld(text);
    return '';
  }
  if (call.text !== '' && call.held !== null) {
    call.held = { joined: call.held.joined + text, last: text };
    return '';
  }
  call.held = null;
  if (call.text.length >= comparedLengthMax) return text;
  if (isRepetition(call, text)) {
    call.isComplete = true;
    return '';
  }
  if (call.text !== '' && text.length >= call.text.length && text.startsWith(call.text)) {
    // All that has come so far once more, and what follows; or an inner object that begins like the arguments.
    call.held = toHeld(text);
    return '';
  }
  call.text += text;
  call.last = text;
  return text;
}

function toHeld(text: string): HeldText {
  return { joined: text, last: text };
}

/**
 * Some upstreams repeat complete arguments at the end, also as a text of JSON within JSON. Nothing else that follows a `}`
 * begins so, but what stands in a text.
 */
function isRepetition({ text: before, last }: Call, text: string): boolean {
  return last.endsWith('}') && /^\s*["{]/.test(text) && parseJsonObject(before) !== null;
}

/** Whether both have complete arguments, and others: it is a second call of the same tool. */
function isAnotherWhole({ text: before, last }: Call, text: string): boolean {
  const own = last.endsWith('}') && text.startsWith('{') ? parseJsonObject(text) : null;
  const former = own === null ? null : parseJsonObject(before);
  return former !== null && !isDeepStrictEqual(former, own);
}

/** What is still to be sent: the pieces, or what they add where each repeats what was sent before it. */
function findRest(sent: string, { joined, last }: HeldText): string {
  const repeated = [joined, last].filter((text) => text.startsWith(sent));
  const rests = [joined, ...repeated.map((text) => text.slice(sent.length))];
  return rests.find((rest) => parseJsonObject(sent + rest) !== null) ?? joined;
}

function isReadable({ text }: Call, rest: string): boolean {
  return parseJsonObject(text + rest) !== null;
}

/** The calls of a delta as clients expect them. Returns the same object if nothing is to be changed. */
export function repairToolCalls(
  delta: JsonObject,
  calls: ToolCalls,
  newCallId: () => string,
): JsonObject {
  const { tool_calls, ...rest } = delta;
  const received = toJsonArray(tool_calls);
  const repaired: JsonObject[] = [];
  for (const call of readCalls(delta)) {
    const pieces = calls.take(call);
    const own = pieces.at(-1);
    if (own === undefined) continue;
    if (pieces.length > 1) repaired.push(...pieces.slice(0, -1).map(toEndOfCall));
    const shown = isAsDocumented(call, own) ? call : repairCall(call, own, newCallId);
    repaired.push(...toNamed(shown, own, calls));
  }
  if (repaired.length === 0) return rest;
  const isValid =
    repaired.length === received.length && repaired.every((call, at) => call === received[at]);
  return isValid ? delta : { ...delta, tool_calls: repaired };
}

/** A call from its name on, with what has come before it; nothing while it has none. */
function toNamed(
  call: JsonObject,
  { index, isFirst, name }: CallPiece,
  { nameless }: ToolCalls,
): readonly JsonObject[] {
  const begun = nameless.get(index);
  if (begun === undefined && (!isFirst || name !== '' || !isJsonObject(call.function)))
    return [call];
  const whole = begun === undefined ? call : joinPieces(begun, call);
  nameless.delete(index);
  if (name !== '' || toText(toJsonObject(whole.function).arguments).length > comparedLengthMax) {
    return [whole];
  }
  nameless.set(index, whole);
  return [];
}

function joinPieces(begun: JsonObject, call: JsonObject): JsonObject {
  const [before, added] = [toJsonObject(begun.function), toJsonObject(call.function)];
  const text = toText(before.arguments) + toText(added.arguments);
  return { ...begun, ...call, function: { ...before, ...added, arguments: text } };
}

/** The first piece has all fields; what a later one repeats, some clients would add to it, and `null` others reject. */
function isAsDocumented(call: JsonObject, { index, isFirst, id, name, text }: CallPiece): boolean {
  if (call.index !== index) return false;
  const { name: receivedName, arguments: received } = toJsonObject(call.function);
  if (isFirst) {
    const isFunction = call.type === 'function' && received === text;
    return id !== '' && call.id === id && (isFunction || call.type === 'custom');
  }
  const repeats = call.id !== undefined || (receivedName !== undefined && name === '');
  return !repeats && call.type !== null && (received === text || received === undefined);
}

function repairCall(
  call: JsonObject,
  { index, isFirst, id, name, text }: CallPiece,
  newCallId: () => string,
): JsonObject {
  const { id: _id, index: _index, type: _type, function: received, ...rest } = call;
  const { name: _name, ...others } = toJsonObject(received);
  const isCustom = isJsonObject(call.custom);
  return {
    index,
    ...((isFirst || id !== '') && { id: id || newCallId() }),
    ...(isFirst && { type: isCustom ? 'custom' : 'function' }),
    ...(!isCustom && {
      function: { ...((isFirst || name !== '') && { name }), ...others, arguments: text },
    }),
    ...rest,
  };
}

function toEndOfCall({ index, text }: CallPiece): JsonObject {
  return { index, function: { arguments: text } };
}

/** Adds what calls still lack when their choice ends. */
export function withEndOfCalls(delta: JsonObject, calls: ToolCalls): JsonObject {
  const ends = [...calls.nameless.values(), ...calls.end().map(toEndOfCall)];
  calls.nameless.clear();
  return ends.length === 0
    ? delta
    : { ...delta, tool_calls: [...toJsonArray(delta.tool_calls), ...ends] };
}
