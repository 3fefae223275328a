import type { Original } from './process-image.ts';

/** An original in the store. */
export type StoredOriginal = Original & Readonly<{ name: string }>;

/**
 * The file name of an original. It contains the metadata, so that listing the folder is enough to know them
 * all. Files on disk have this name: changing it means fetching every picture again.
 */
export function toOriginalName({ width, height, hasAlpha, thumbHash }: Original): string {
  const hash = Buffer.from(thumbHash).toString('base64url');
  return `master-${width}x${height}-${hasAlpha ? 'clear' : 'solid'}-${hash}.webp`;
}

const originalName = /^master-(\d{1,5})x(\d{1,5})-(clear|solid)-([\w-]{7,40})\.webp$/;

/** Reads the metadata from a file name; null for other files. */
export function parseOriginalName(name: string): StoredOriginal | null {
  const [, width, height, alpha, hash] = originalName.exec(name) ?? [];
  if (hash === undefined) return null;
  return {
    name,
    width: Number(width),
    height: Number(height),
    hasAlpha: alpha === 'clear',
    thumbHash: Buffer.from(hash, 'base64url'),
  };
}
