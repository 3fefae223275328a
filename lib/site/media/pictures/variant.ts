import type { Attachment } from '#lib/events/model/schema.ts';
import { toServedWidth } from '#lib/representations/theming/picture-placeholder.ts';
import type { PictureRequest } from './parse-picture-request.ts';
import { originalBox, type PictureFormat, type StoredOriginal } from './process-image.ts';

/** One size and format of a picture, with its file name. */
export type Variant = Readonly<{ name: string; width: number; format: PictureFormat }>;

/** Chooses the variant for a request. All widths above the original's share one file. */
export function chooseVariant(original: StoredOriginal, wanted: PictureRequest): Variant {
  const width = toServedWidth(Math.min(wanted.width ?? original.width, original.width));
  const fallback = original.hasAlpha ? 'png' : 'jpeg';
  const format = wanted.format === 'plain' ? fallback : wanted.format;
  return { name: `${width}.${format}`, width, format };
}

type Size = Pick<Attachment, 'width' | 'height'>;

/** The size that an attachment will be stored in, computed from the size that the upstream reports. */
export function toOriginalSize({ width, height }: Size): Size {
  if (width === null || height === null) return { width: null, height: null };
  const scale = Math.min(1, originalBox.width / width, originalBox.height / height);
  const toSide = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: toSide(width), height: toSide(height) };
}
