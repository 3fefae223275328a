import type { Attachment } from '#lib/events/model/schema.ts';
import { toServedWidth } from '#lib/theming/picture-sources.ts';
import type { WantedPicture } from './parse-picture-request.ts';
import { masterBox, type PictureFormat } from './process-image.ts';
import { type KeptMaster, toVariantName } from './stored-original.ts';

/** One size and format of a picture, and what its file is called. */
export type Variant = Readonly<{ name: string; width: number; format: PictureFormat }>;

/**
 * What a caller gets who wants this. A width above the master's own gives the same bytes as the next one
 * above it, so they are kept once.
 */
export function toVariantOf(master: KeptMaster, wanted: WantedPicture): Variant {
  const width = toServedWidth(Math.min(wanted.width ?? master.width, master.width));
  const plain = master.hasAlpha ? 'png' : 'jpeg';
  const format = wanted.format === 'plain' ? plain : wanted.format;
  return { name: toVariantName(width, format), width, format };
}

type Size = Pick<Attachment, 'width' | 'height'>;

/** The size that a picture will be kept in, from what the upstream says of it. */
export function toMasterSize({ width, height }: Size): Size {
  if (width === null || height === null) return { width: null, height: null };
  const scale = Math.min(1, masterBox.width / width, masterBox.height / height);
  const toSide = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: toSide(width), height: toSide(height) };
}
