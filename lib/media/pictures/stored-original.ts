import type { Master, PictureFormat } from './process-image.ts';

/**
 * What a master is called. Its size, whether one can see through it, and its ThumbHash stand in the
 * name, so that a listing of the folder tells all of them, and no second file can contradict the first.
 */
export function toMasterName({ width, height, hasAlpha, thumbHash }: Master): string {
  const hash = Buffer.from(thumbHash).toString('base64url');
  return `master-${width}x${height}-${hasAlpha ? 'clear' : 'solid'}-${hash}.webp`;
}

const masterName = /^master-(\d{1,5})x(\d{1,5})-(clear|solid)-([\w-]{7,40})\.webp$/;

/** A master in the store. */
export type KeptMaster = Master & Readonly<{ name: string }>;

/** null for a file of another kind. */
export function parseMasterName(name: string): KeptMaster | null {
  const [, width, height, alpha, hash] = masterName.exec(name) ?? [];
  if (hash === undefined) return null;
  return {
    name,
    width: Number(width),
    height: Number(height),
    hasAlpha: alpha === 'clear',
    thumbHash: Buffer.from(hash, 'base64url'),
  };
}

export function toVariantName(width: number, format: PictureFormat): string {
  return `${width}.${format}`;
}
