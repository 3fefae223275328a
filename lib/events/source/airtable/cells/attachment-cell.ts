import { toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import type { Column } from '../../../model/field-lists.ts';
import { type Attachment, attachmentId } from '../../../model/schema.ts';
import { type CellSource, readRaw } from './cell-source.ts';
import { toWebUrl } from './web-url-cell.ts';

export type AttachmentCell = Readonly<{
  /** Signed; expires after two hours. */
  url: string;
  /** null without a valid id. */
  attachment: Attachment | null;
}>;

/** The first attachment. */
export function readAttachment(source: CellSource, column: Column): AttachmentCell | null {
  const value = readRaw(source, column);
  if (value == null) return null;
  const first = toJsonObject(toJsonArray(value)[0]);
  const url = toWebUrl(toText(first.url));
  if (url === null) return source.report.repaired(column, 'not_an_attachment', value);
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
