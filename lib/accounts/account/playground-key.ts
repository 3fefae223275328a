const prefix = 'playground_';

/** What a member does in the playground is counted for an id of its own, which has no secret. */
export function toPlaygroundKeyId(memberId: string): string {
  return prefix + memberId;
}

/** The member whose playground it is; null for the id of a key. */
export function readPlaygroundMemberId(keyId: string): string | null {
  return isPlaygroundKeyId(keyId) ? keyId.slice(prefix.length) : null;
}

export function isPlaygroundKeyId(keyId: string): boolean {
  return keyId.startsWith(prefix);
}
