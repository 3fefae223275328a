/** Cache-Control for an answer that stays true for so many seconds more (RFC 9111 §5.2.2). */
export function toCacheControl(freshSeconds: number): string {
  return freshSeconds > 0 ? `public, max-age=${freshSeconds}` : 'no-cache';
}
