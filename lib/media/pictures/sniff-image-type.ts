export const sourceTypes = ['png', 'jpeg', 'webp', 'gif', 'avif'] as const;
export type SourceType = (typeof sourceTypes)[number];

/**
 * What kind of picture bytes are, by how they begin: neither a name nor a Content-Type is to be trusted.
 * Raster pictures alone: an SVG is a program, and is neither served nor drawn.
 */
export function sniffType(bytes: Uint8Array): SourceType | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64));
  const text = head.toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (/^RIFF.{4}WEBPVP8/s.test(text)) return 'webp';
  // ISO/IEC 23008-12: the brand may stand first, or among those that are compatible.
  if (/^.{4}ftyp/s.test(text) && /^.{8}(?:.{4})*?avi[fs]/s.test(text)) return 'avif';
  return null;
}
