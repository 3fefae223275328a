import { type JsonObject, toJsonObject } from '#lib/http/json-value.ts';
import type { KeyHasher } from '#lib/keys/key-text.ts';

/** The headers in which coding agents send the id of their session, and how to recognize whose it is. */
const sources = [
  { client: 'claude-code', idHeader: 'x-claude-code-session-id' },
  { client: 'codex', idHeader: 'session-id', nameHeader: 'originator', pattern: /^codex/i },
  { client: 'opencode', idHeader: 'x-session-id', nameHeader: 'user-agent', pattern: /^opencode/i },
] as const;

const idLengthMax = 200;

/**
 * The coding session that a request is part of: its client and a keyed hash of its id, such as
 * `codex-3fK2a9Qx`. Null if the client sends none.
 * @param owner of the key: the same id of another owner is another session.
 */
export function toSessionName(
  headers: Pick<Headers, 'get'>,
  owner: string,
  toHash: KeyHasher,
): string | null {
  for (const { client, idHeader, ...name } of sources) {
    const id = headers.get(idHeader);
    if (id === null || id === '' || id.length > idLengthMax) continue;
    if ('pattern' in name && !name.pattern.test(headers.get(name.nameHeader) ?? '')) continue;
    return `${client}-${toHash(`session ${JSON.stringify([owner, client, id])}`).slice(0, 8)}`;
  }
  return null;
}

/** What else tells the conversation, or at least the end user, of a request; null: nothing. @param owner of the key */
export function toConversation(body: JsonObject, owner: string): string | null {
  const ids = [body.prompt_cache_key, body.user, toJsonObject(body.metadata).user_id];
  const id = ids.find((value) => typeof value === 'string' && value !== '');
  return id === undefined ? null : JSON.stringify([owner, id]);
}
