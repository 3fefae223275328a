import { createHash } from 'node:crypto';

/**
 * An id of a call that each server takes: Mistral wants nine letters or digits, OpenAI at most 40 characters, Anthropic
 * no colon. A conversation that changes its model carries the ids of another one.
 */
export function toPlainCallId(id: string): string {
  const isPlain = /^[a-zA-Z0-9]{9}$/.test(id);
  return isPlain ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);
}
