import { toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { type Attachment, attachmentId } from '../../../model/schema.ts';
import type { Cell } from './cell.ts';
import { toWebUrl } from './url-cell.ts';

export type AttachmentCell = Readonly<{
  /** Signed; expires after two hours. */
  url: string;
  /** null without a valid id. */
  attachment: Attachment | null;
}>;

/** The first attachment. */
export function readAttachment(cell: Cell): AttachmentCell | null {
  if (cell.raw == null) return null;
  const first = toJsonObject(toJsonArray(cell.raw)[0]);
  const url = toWebUrl(toText(first.url));
  if (url === null) return cell.repaired('not_an_attachment');
  return { url, attachment: toAttachment(first) };
}

// The id becomes part of URLs and of folder names.
function toAttachment({ id, width, height }: Record<string, unknown>): Attachment | null {
  if (typeof id !== 'string' || !attachmentId.test(id)) return null;
  return { id, width: toPixels(width), height: toPixels(height) };
}

function toPixels(value: unknown): number | null {
  const isSide = typeof value === 'number' && Number.isInteger(value);
  return isSide && value > 0 && value <= 100_000 ? value : null;
}
