/** Cache-Control for a response that stays fresh for this many seconds (RFC 9111 §5.2.2). */
export function toCacheControl(freshSeconds: number): string {
  return freshSeconds > 0 ? `public, max-age=${freshSeconds}` : 'no-cache';
}
