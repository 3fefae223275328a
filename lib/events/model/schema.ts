import { z } from 'zod';
import { calendarDateSchema, detailFields, timeFields } from './time-and-place.ts';

/** The public schema of an event, the source of types, validation and the OpenAPI document. */

export const eventStatuses = ['upcoming', 'ongoing', 'ended'] as const;
export const eventFormats = ['in-person', 'online', 'both'] as const;
export const eventStates = ['scheduled', 'cancelled', 'postponed', 'moved-online'] as const;
export const projectTypes = [
  'Electronics',
  'Websites',
  'Software',
  'Gamedev',
  'CAD',
  'Other',
] as const;

export type EventStatus = (typeof eventStatuses)[number];
export type EventFormat = (typeof eventFormats)[number];
export type EventState = (typeof eventStates)[number];
export type ProjectType = (typeof projectTypes)[number];

export const eventStatusSchema = z.enum(eventStatuses).meta({
  id: 'EventStatus',
  description:
    'Derived from the dates and the current day in the site’s time zone: `upcoming` before `startDate`, `ongoing` through `endDate` (or forever without one), then `ended`.',
});

export const eventStateSchema = z.enum(eventStates).meta({
  id: 'EventState',
  description:
    'Whether the event takes place as announced. `cancelled`: it does not. `postponed`: not on these dates. `moved-online`: not at the place that was announced, so `format` is `online`. `status` still follows from the dates alone.',
});

const signedUrlNote =
  'Signed by the upstream; expires after about two hours. Use `pictures` for a URL that never expires.';

export const eventInPersonSchema = z
  .object({
    start: calendarDateSchema.nullable(),
    end: calendarDateSchema.nullable(),
    location: z.string().nullable().meta({ description: 'Where the event takes place.' }),
  })
  .meta({ id: 'EventInPerson', description: 'The in-person part of an event.' });

const cssColor = z.string().meta({
  description: 'A colour as `#rrggbb`, or `#rrggbbaa` if it is translucent.',
  examples: ['#ff5a36'],
});

export const eventBackgroundSchema = z
  .object({
    type: z.enum(['color', 'image']).meta({
      description: 'Whether the poster uses `color` or `imageUrl`.',
    }),
    color: cssColor,
    imageUrl: z.url().nullable().meta({ description: signedUrlNote }),
  })
  .meta({ id: 'EventBackground', description: 'The background of an event’s poster.' });

export const eventThemeSchema = z
  .object({
    text: cssColor,
    accent: cssColor,
    logoSize: z.number().meta({ description: 'Height of the logo on the poster, in CSS pixels.' }),
    button: z.object({
      color: cssColor,
      textColor: cssColor,
      borderRadius: z.number().meta({ description: 'In CSS pixels.' }),
      borderWidth: z.number().meta({ description: 'In CSS pixels.' }),
      borderColor: cssColor,
    }),
  })
  .meta({ id: 'EventTheme', description: 'Colours and sizes of an event’s poster.' });

export const pictureSchema = z
  .object({
    id: z.string().meta({
      description: 'Never changes, and is never reused for another picture.',
      examples: ['attQ7rZ0sWv3xYb2N'],
    }),
    url: z.url().meta({
      description:
        'Never expires; safe to link to. `?w=` sets the width in pixels: 96, 160, 320, 480, 640, 960, 1280 or 1920. `&format=` sets the type (`avif`, `webp`, `png` or `jpeg`) instead of the Accept header.',
    }),
    width: z.int().nullable().meta({
      description: 'Width in pixels of the picture at `url`; `null` if not known yet.',
    }),
    height: z.int().nullable().meta({
      description: 'Height in pixels of the picture at `url`; `null` if not known yet.',
    }),
    thumbHash: z.string().nullable().meta({
      description:
        'A ThumbHash in base64, to show while the picture loads; `null` if not known yet.',
    }),
  })
  .meta({ id: 'Picture', description: 'A picture that this server stores and serves.' });

export const eventPicturesSchema = z
  .object({ logo: pictureSchema.nullable(), background: pictureSchema.nullable() })
  .meta({
    id: 'EventPictures',
    description: 'The pictures of `logoUrl` and `background`, at URLs that never expire.',
  });

export const eventSchema = z
  .object({
    id: z.string().meta({
      description: 'Never changes. Store this to refer to an event.',
      examples: ['recV7kQ2mXw4Tn9Lb'],
    }),
    slug: z.string().meta({
      description: 'Derived from the name; changes when the event is renamed.',
      examples: ['lantern-jam'],
    }),
    name: z.string(),
    description: z.string().nullable().meta({ description: 'May contain Markdown.' }),
    url: z.url().nullable().meta({ description: 'The event’s own website.' }),
    status: eventStatusSchema,
    state: eventStateSchema,
    startDate: calendarDateSchema,
    endDate: calendarDateSchema.nullable().meta({
      description: 'The last day, inclusive; `null` for an open-ended event.',
    }),
    ...timeFields,
    announcedAt: z.iso.datetime().meta({ description: 'When the event was added to the table.' }),
    format: z.enum(eventFormats).nullable(),
    inPerson: eventInPersonSchema.nullable().meta({
      description: '`null` for an online event.',
    }),
    ...detailFields,
    projectTypes: z.array(z.enum(projectTypes)),
    slackChannel: z.string().nullable().meta({
      description: 'Name of the channel, without the leading `#`.',
    }),
    slackUrl: z.url().nullable(),
    requirements: z.string().nullable().meta({ description: 'May contain Markdown.' }),
    pinned: z.boolean(),
    logoUrl: z.url().nullable().meta({ description: signedUrlNote }),
    background: eventBackgroundSchema.nullable().meta({
      description: '`null` if the event has no styling of its own.',
    }),
    theme: eventThemeSchema.nullable().meta({
      description: '`null` if the event has no styling of its own.',
    }),
    pictures: eventPicturesSchema,
  })
  .meta({ id: 'Event' });

export type EventInPerson = z.infer<typeof eventInPersonSchema>;
export type EventBackground = Omit<z.infer<typeof eventBackgroundSchema>, 'imageUrl'>;
export type EventTheme = z.infer<typeof eventThemeSchema>;
/** An event as the API returns it. */
export type PublishedEvent = z.infer<typeof eventSchema>;

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
