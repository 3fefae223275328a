export const sourceTypes = ['png', 'jpeg', 'webp', 'gif', 'avif'] as const;
export type SourceType = (typeof sourceTypes)[number];

/**
 * Detects the image type from the first bytes, since neither a file name nor a Content-Type can be trusted.
 * @returns null for anything but raster images; SVG can contain scripts and is not accepted.
 */
export function sniffImageType(bytes: Uint8Array): SourceType | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64));
  const text = head.toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (/^RIFF.{4}WEBPVP8/s.test(text)) return 'webp';
  // ISO/IEC 23008-12: the major brand, or one of the compatible brands.
  if (/^.{4}ftyp/s.test(text) && /^.{8}(?:.{4})*?avi[fs]/s.test(text)) return 'avif';
  return null;
}
