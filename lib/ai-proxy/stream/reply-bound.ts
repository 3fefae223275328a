/**
 * Longest reply that is held in memory, in bytes of text: the events at the end of a Responses stream
 * repeat all of it. Some four million tokens, many times what any model says at once.
 */
export const replyBytesMax = 16 * 1024 * 1024;
