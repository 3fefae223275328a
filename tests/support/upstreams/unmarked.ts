import type { ReasoningMark } from '#lib/ai-proxy/protocols/reasoning-mark.ts';

/** Of an upstream that is the only one. */
export const unmarked: ReasoningMark = { own: '0123456789ab', isWritten: false };
