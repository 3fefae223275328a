import { optionalFields } from '#lib/config/quirk-names.ts';
import type { JsonObject } from '#lib/http/json-value.ts';
import type { ClientHeaders } from '../upstreams/connection.ts';
import { boundQuirks } from './bounds.ts';
import { callQuirks } from './calls.ts';
import { fieldQuirks } from './fields.ts';
import { messagesApiQuirks } from './messages-api.ts';
import { promptQuirks } from './prompts.ts';
import type { Accepted, Dialect, Quirk, TargetQuirk, TargetQuirks } from './quirk.ts';
import { roleQuirks } from './roles.ts';
import { schemaQuirks } from './schemas.ts';
import { thinkingQuirks } from './thinking.ts';
import { typeQuirks } from './types.ts';

/** In order: of the texts, the first that matches counts, and requests are changed by one after the other. */
export const quirkTable: readonly Quirk[] = [
  ...thinkingQuirks,
  ...messagesApiQuirks,
  ...schemaQuirks,
  ...roleQuirks,
  ...typeQuirks,
  ...callQuirks,
  ...boundQuirks,
  ...promptQuirks,
  ...fieldQuirks,
];

/** Servers take the role `system` in place of `developer`, and OpenAI takes `metadata` only with what it stores. */
const leftOutByDefault = ['developer', 'metadata'] as const;

/** @param accepts null: most is tried */
export function toDefaultQuirks(accepts: Accepted): TargetQuirks {
  const leftOut =
    accepts === null
      ? leftOutByDefault
      : optionalFields.filter((field) => !accepts.includes(field));
  return new Map(leftOut.map((field) => [field, []]));
}

/** How a request is sent, and what the proxy has written into it for a client of the same protocol. */
export type Sent = Readonly<{ dialect: Dialect; added?: readonly TargetQuirk[] }>;

function findChange({ name, changes = {} }: Quirk, { dialect, added = [] }: Sent) {
  const isAdded = name !== undefined && added.includes(name);
  return changes[dialect] ?? (isAdded ? changes.added : undefined);
}

/** Whether a request that is sent like this can do without what has this quirk. */
export function mayAvoid(name: string, sent: Sent): boolean {
  return quirkTable.some(
    (quirk) =>
      quirk.name === name &&
      (findChange(quirk, sent) !== undefined || quirk.isAvoidedIn?.includes(sent.dialect)),
  );
}

/** The headers of a client, as a server with these quirks takes them. */
export function changeHeaders(headers: ClientHeaders, quirks: TargetQuirks): ClientHeaders {
  // As of most targets.
  if (quirks.size === 0) return headers;
  let changed = headers;
  for (const { name, changeHeaders } of quirkTable) {
    const taken = name === undefined ? undefined : quirks.get(name);
    if (taken !== undefined) changed = changeHeaders?.(changed, taken) ?? changed;
  }
  return changed;
}

/** A request as a server with these quirks takes it. */
export function changeRequest(request: JsonObject, sent: Sent, quirks: TargetQuirks): JsonObject {
  if (quirks.size === 0) return request;
  let changed = request;
  for (const quirk of quirkTable) {
    const taken = quirk.name === undefined ? undefined : quirks.get(quirk.name);
    if (taken !== undefined) changed = findChange(quirk, sent)?.(changed, taken, quirks) ?? changed;
  }
  return changed;
}
