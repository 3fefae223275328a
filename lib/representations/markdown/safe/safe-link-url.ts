const linkProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/**
 * Normalizes an absolute URL that is safe to link to.
 * @returns null for other protocols (`javascript:`, `data:` …) and for relative or invalid URLs.
 */
export function toSafeLinkUrl(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && linkProtocols.has(url.protocol) ? url.href : null;
}
