/** What a member does in the playground is counted for an id of its own, which has no secret. */
export function toPlaygroundKeyId(memberId: string): string {
  return `playground_${memberId}`;
}

export function isPlaygroundKeyId(keyId: string): boolean {
  return keyId.startsWith('playground_');
}
