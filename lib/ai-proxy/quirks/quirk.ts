import { type optionalFields, type QuirkName, quirkNames } from '#lib/config/quirk-names.ts';
import type { JsonObject } from '#lib/http/json-value.ts';
import type { ClientHeaders } from '../upstreams/connection.ts';
import type { UpstreamFailure } from '../upstreams/errors/upstream-failure.ts';

/** How a request goes to a server: as that of a client of chat, translated to chat, or passed on in another protocol. */
export type Dialect = 'chat' | 'translated' | 'responses' | 'messages' | 'embeddings';

/** What a target takes of what has a quirk: some values, or none. */
export type TargetQuirks = ReadonlyMap<TargetQuirk, readonly string[]>;

/** A quirk, or the largest bound of a reply. */
export type TargetQuirk = QuirkName | 'max_output_tokens';

const names: ReadonlySet<string> = new Set([...quirkNames, 'max_output_tokens']);

/** Whether something of this name may be learned, or set by an operator. */
export function isTargetQuirk(name: string): name is TargetQuirk {
  return names.has(name);
}

/** What an upstream takes of `optionalFields`; null: unknown. */
export type Accepted = readonly (typeof optionalFields)[number][] | null;

/** A request as a server with the quirk takes it. @param taken the values that it takes; none: it takes none */
export type Change = (
  request: JsonObject,
  taken: readonly string[],
  quirks: TargetQuirks,
) => JsonObject;

/** The parts of an upstream's text that are passed on, once they were checked. */
export type Details = Readonly<{
  /** The field, in backticks. */
  field: string | null;
  /** Another field that does the same, in backticks. */
  instead: string | null;
  values: readonly string[];
}> &
  /** Bounds; how many tokens the prompt has, and how many the reply may have by the request. */
  Readonly<Record<'min' | 'max' | 'used' | 'asked', number | null>>;

/** What was rejected without a word about it, with which status. `isListed`: the server’s own list has the model. */
export type Unsaid = Readonly<{
  status: number;
  dialect: Dialect;
  path: string;
  isListed: boolean;
}>;

/** What some servers reject: how they say it, what clients are told of it, and what such a server gets instead. */
export type Quirk = Readonly<{
  /** Of what is learned, and in the file of upstreams; without: clients are told, no more. */
  name?: QuirkName;
  /** How servers say it; named groups become details. A repair follows only from their own words: see `findOwnText`. */
  texts?: readonly RegExp[];
  /** `code` or `type` of the upstream’s error. */
  codes?: readonly string[];
  /** For clients; without: a later row may say more. */
  tell?: string | ((details: Details) => string);
  /** The code that clients get. */
  code?: string;
  /** The field, where it is always the same one. */
  param?: string;
  /** It is about what stands in this request, or in any of a dialect, so nothing is learned for the next one. */
  isOfRequest?: true | Dialect;
  /** The field that servers take in its place. */
  otherName?: string;
  /** Set for a field of the request, which all servers reject in the same words: see `read-rejected.ts`. */
  field?: FieldQuirk;
  /** Whether an error shows it that does not say so. */
  isShownBy?: (unsaid: Unsaid, error: UpstreamFailure) => boolean;
  /** Headers as such a server takes them. */
  changeHeaders?: (headers: ClientHeaders, taken: readonly string[]) => ClientHeaders;
  /** What it takes, where it names what it does not take. */
  toTaken?: (rejected: readonly string[], headers: ClientHeaders) => readonly string[];
  /** Where something else changes than the body: headers, the protocol, or who replies. */
  isAvoidedIn?: readonly Dialect[];
  /** By dialect; `added`: only of what the proxy has written itself. */
  changes?: Readonly<Partial<Record<Dialect | 'added', Change>>>;
  /** For the docs: what such a server does, and what it gets. */
  server?: string;
  gets?: string;
}>;

export type FieldQuirk = Readonly<{
  /** As servers name it that translate the request once more, or in the words of their own API. */
  otherNames?: readonly string[];
  /** As it is named within messages, tools or options. */
  nestedNames?: readonly string[];
  /** Its value, where that is a level: see `fields.ts`. */
  toLevel?: (request: JsonObject) => unknown;
  /** Its value is only a form of the reply, which is converted. */
  isConverted?: true;
  /** Whether the request has it; by default in a field of its name. @param sent the same as JSON */
  isSent?: (request: JsonObject, sent: string) => boolean;
}>;
