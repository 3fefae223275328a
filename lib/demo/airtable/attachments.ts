import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { loadPictures, type Picture } from '../load-pictures.ts';
import { isStoredAttachment, type StoredAttachment } from './airtable-record.ts';
import { type AirtableReply, toErrorReply } from './airtable-reply.ts';

/** How long an attachment's URL works after its page was read. */
const attachmentTtlMs = 2 * 60 * 60 * 1000;

export type Attachments = {
  /** Replaces stored attachments in a cell by Airtable's objects with newly signed URLs. */
  toCell(value: unknown): unknown;
  /** The bytes behind a signed URL, or an error. */
  serve(pathname: string): AirtableReply;
};

type Thumbnail = { url: string; width: number; height: number };

/**
 * Signs and serves the table's pictures. A URL contains its expiry and an HMAC; the key is created
 * at the start, so nothing is stored, and every read has different URLs.
 */
export function createAttachments(options: {
  url: string;
  pictures?: ReadonlyMap<string, Picture>;
  now: () => number;
}): Attachments {
  const key = randomBytes(32);
  const { url, pictures = loadPictures(), now } = options;

  function sign(signed: string): string {
    return createHmac('sha256', key).update(signed).digest('base64url');
  }

  function toUrl(attachment: StoredAttachment, path: string): string {
    const expiry = now() + attachmentTtlMs;
    const nonce = randomBytes(9).toString('base64url');
    const signed = [expiry, nonce, attachment.id, encodeURIComponent(path)].join('/');
    return `${url}/attachments/${sign(signed)}/${signed}`;
  }

  function toThumbnail(attachment: StoredAttachment, path: string): Thumbnail | undefined {
    const size = pictures.get(path)?.size;
    return size ? { url: toUrl(attachment, path), ...size } : undefined;
  }

  function expand(attachment: StoredAttachment): Record<string, unknown> {
    const { id, file } = attachment;
    const picture = pictures.get(file);
    const full = toThumbnail(attachment, file);
    return {
      id,
      ...picture?.size,
      url: toUrl(attachment, file),
      filename: file,
      size: picture?.bytes.length ?? 0,
      type: picture?.type ?? 'application/octet-stream',
      ...(full && {
        thumbnails: {
          small: toThumbnail(attachment, `small/${file}`) ?? full,
          large: toThumbnail(attachment, `large/${file}`) ?? full,
          full,
        },
      }),
    };
  }

  return {
    toCell(value) {
      if (!Array.isArray(value) || !value.some(isStoredAttachment)) return value;
      return value.map((item) => (isStoredAttachment(item) ? expand(item) : item));
    },
    serve(pathname) {
      const [signature = '', ...rest] = pathname.replace('/attachments/', '').split('/');
      const signed = rest.join('/');
      if (!isSame(signature, sign(signed))) return toErrorReply(403, 'INVALID_SIGNATURE');
      const [expiry, , , path = ''] = rest;
      if (now() > Number(expiry)) return toErrorReply(410, 'ATTACHMENT_URL_EXPIRED');
      const picture = pictures.get(decodeURIComponent(path));
      return picture ? toPictureReply(picture) : toErrorReply(404, 'NOT_FOUND');
    },
  };
}

function toPictureReply(picture: Picture): AirtableReply {
  return {
    status: 200,
    body: picture.bytes,
    headers: { 'content-type': picture.type, 'cache-control': 'private, max-age=7200' },
  };
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
