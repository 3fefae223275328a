const linkProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/**
 * An absolute address that may be linked to, as the URL standard writes it.
 * @returns null for other protocols (`javascript:`, `data:` …), for relative addresses and for what is none.
 */
export function toSafeLinkUrl(address: string): string | null {
  const url = URL.parse(address);
  return url !== null && linkProtocols.has(url.protocol) ? url.href : null;
}
