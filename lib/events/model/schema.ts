import { z } from 'zod';
import { fieldNames, pickSchemas } from './field-lists.ts';
import type { eventBackgroundSchema, eventThemeSchema, pictureSchema } from './poster.ts';

/** The public schema of an event, the source of types, validation and the OpenAPI document. */
export const eventSchema = z.object(pickSchemas(fieldNames)).meta({ id: 'Event' });

/** An event as the API returns it. */
export type PublishedEvent = z.infer<typeof eventSchema>;

export type EventStatus = PublishedEvent['status'];
export type EventState = PublishedEvent['state'];
export type EventFormat = NonNullable<PublishedEvent['format']>;
export type EventInPerson = NonNullable<PublishedEvent['inPerson']>;
export type PriceRange = NonNullable<PublishedEvent['priceRange']>;
export type ProjectType = PublishedEvent['projectTypes'][number];
export type EventBackground = Omit<z.infer<typeof eventBackgroundSchema>, 'imageUrl'>;
export type EventTheme = z.infer<typeof eventThemeSchema>;

/**
 * An event in a snapshot: without its signed URLs, which change with every read of the table.
 */
export type MarqueeEvent = Omit<PublishedEvent, 'logoUrl' | 'background'> & {
  background: EventBackground | null;
};

/** URLs of an event's attachments, as the upstream signed them last. */
export type SignedUrls = Readonly<{ logo: string | null; background: string | null }>;

/** By event id; events without attachments may be missing. */
export type SignedUrlsById = ReadonlyMap<string, SignedUrls>;

export type Picture = z.infer<typeof pictureSchema>;

/** Valid attachment ids, which are safe in URLs and as folder names. */
export const attachmentId = /^att[A-Za-z0-9]{3,40}$/;

/** An attachment of the upstream; its URL is in `SignedUrls`. */
export type Attachment = Readonly<{
  id: string;
  /** In pixels, if known. */
  width: number | null;
  height: number | null;
}>;

/** A converted row. Its slug depends on the other rows, its status on the day. */
export type EventDraft = Omit<MarqueeEvent, 'slug' | 'status' | 'pictures'> & {
  attachments: Readonly<{ logo: Attachment | null; background: Attachment | null }>;
};

/** Describes the picture of an attachment; null if it cannot be shown as one. */
export type ToPicture = (attachment: Attachment) => Picture | null;

/** Where to download an attachment now, and the background colour of its event. */
export type AttachmentOrigin = Readonly<{
  url: string;
  color: string | null;
  width: number | null;
  height: number | null;
}>;
