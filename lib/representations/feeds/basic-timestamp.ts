/** A moment as RFC 5545 §3.3.5 writes it in UTC: `20261124T173000Z`. */
export function toBasicTimestamp(dateTime: string): string {
  return new Date(dateTime).toISOString().replace(/[-:]|\.\d+/g, '');
}
