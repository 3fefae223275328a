import { z } from 'zod';

/** What an event is: the public shape, from which the types, the checks and the OpenAPI document are made. */

export const eventStatuses = ['upcoming', 'ongoing', 'ended'] as const;
export const eventFormats = ['in-person', 'online', 'both'] as const;
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
export type ProjectType = (typeof projectTypes)[number];

export const eventStatusSchema = z.enum(eventStatuses).meta({
  id: 'EventStatus',
  description:
    'Taken from the dates alone, on the server’s calendar day: before `startDate` an event is upcoming, through `endDate` (or for good, without one) it is ongoing, then it has ended.',
});

export const calendarDateSchema = z.iso.date().meta({
  description: 'A calendar day, `YYYY-MM-DD`, that belongs to no time zone.',
  examples: ['2026-12-12'],
});

const signedUrlNote =
  'Signed by the upstream and good for about two hours. `pictures` has an address that lasts.';

export const eventInPersonSchema = z
  .object({
    start: calendarDateSchema.nullable(),
    end: calendarDateSchema.nullable(),
    location: z.string().nullable().meta({ description: 'Where people meet.' }),
  })
  .meta({ id: 'EventInPerson', description: 'The part of an event that happens in one place.' });

const cssColor = z.string().meta({
  description: 'A colour as `#rrggbb`, or `#rrggbbaa` where it lets something through.',
  examples: ['#ff5a36'],
});

export const eventBackgroundSchema = z
  .object({
    type: z.enum(['color', 'image']).meta({
      description: 'Which of `color` and `imageUrl` the card uses.',
    }),
    color: cssColor,
    imageUrl: z.url().nullable().meta({ description: signedUrlNote }),
  })
  .meta({ id: 'EventBackground', description: 'What an event’s card is painted on.' });

export const eventThemeSchema = z
  .object({
    text: cssColor,
    accent: cssColor,
    logoSize: z.number().meta({ description: 'Height of the logo on the card, in CSS pixels.' }),
    button: z.object({
      color: cssColor,
      textColor: cssColor,
      borderRadius: z.number().meta({ description: 'In CSS pixels.' }),
      borderWidth: z.number().meta({ description: 'In CSS pixels.' }),
      borderColor: cssColor,
    }),
  })
  .meta({ id: 'EventTheme', description: 'Colours and sizes of an event’s card.' });

export const pictureSchema = z
  .object({
    id: z.string().meta({
      description: 'Never changes, and belongs to the same picture for good.',
      examples: ['attQ7rZ0sWv3xYb2N'],
    }),
    url: z.url().meta({
      description:
        'Never expires, and may be linked to. `?w=` asks for a width in pixels: 96, 160, 320, 480, 640, 960, 1280 or 1920; `&format=` for `avif`, `webp`, `png` or `jpeg` where the Accept header is not to decide.',
    }),
    width: z.int().nullable().meta({
      description: 'In pixels, as `url` gives the picture; `null` where it is not known yet.',
    }),
    height: z.int().nullable(),
    thumbHash: z.string().nullable().meta({
      description:
        'A ThumbHash in base64, to show until the picture is there; `null` where it is not known yet.',
    }),
  })
  .meta({ id: 'Picture', description: 'A picture that this server keeps and serves itself.' });

export const eventPicturesSchema = z
  .object({ logo: pictureSchema.nullable(), background: pictureSchema.nullable() })
  .meta({ id: 'EventPictures', description: 'The pictures behind `logoUrl` and `background`.' });

export const eventSchema = z
  .object({
    id: z.string().meta({
      description: 'Never changes. Store this one.',
      examples: ['recV7kQ2mXw4Tn9Lb'],
    }),
    slug: z.string().meta({
      description: 'Made from the name, so it changes when the event is renamed.',
      examples: ['lantern-jam'],
    }),
    name: z.string(),
    description: z.string().nullable().meta({ description: 'May hold Markdown.' }),
    url: z.url().nullable().meta({ description: 'The event’s own website.' }),
    status: eventStatusSchema,
    startDate: calendarDateSchema,
    endDate: calendarDateSchema.nullable().meta({
      description: 'The last day, inclusive; `null` for an event without an end.',
    }),
    announcedAt: z.iso.datetime().meta({ description: 'When the event was added to the table.' }),
    format: z.enum(eventFormats).nullable(),
    inPerson: eventInPersonSchema.nullable().meta({
      description: '`null` for an event that is online only.',
    }),
    projectTypes: z.array(z.enum(projectTypes)),
    slackChannel: z.string().nullable().meta({
      description: 'A channel’s name, without the leading `#`.',
    }),
    slackUrl: z.url().nullable(),
    requirements: z.string().nullable().meta({ description: 'May hold Markdown.' }),
    pinned: z.boolean(),
    logoUrl: z.url().nullable().meta({ description: signedUrlNote }),
    background: eventBackgroundSchema.nullable().meta({
      description: '`null` while the event has no look of its own.',
    }),
    theme: eventThemeSchema.nullable().meta({
      description: '`null` while the event has no look of its own.',
    }),
    pictures: eventPicturesSchema,
  })
  .meta({ id: 'Event' });

export type EventInPerson = z.infer<typeof eventInPersonSchema>;
export type EventBackground = Omit<z.infer<typeof eventBackgroundSchema>, 'imageUrl'>;
export type EventTheme = z.infer<typeof eventThemeSchema>;
/** An event as the API gives it. */
export type PublishedEvent = z.infer<typeof eventSchema>;

/**
 * An event as it is kept: without its signed addresses. They are others after every read of the table, where
 * nearly all else stays the very same.
 */
export type MarqueeEvent = Omit<PublishedEvent, 'logoUrl' | 'background'> & {
  background: EventBackground | null;
};

/** Where the bytes of an event's attachments are to be had, as the upstream signed it last. */
export type SignedUrls = Readonly<{ logo: string | null; background: string | null }>;

/** By event id; an event without attachments need not be in it. */
export type SignedUrlsById = ReadonlyMap<string, SignedUrls>;

export type Picture = z.infer<typeof pictureSchema>;

/** The ids that attachments have: safe in an address and as the name of a folder. */
export const attachmentId = /^att[A-Za-z0-9]{3,40}$/;

/** A picture as the upstream tells of it; its signed address stands in `SignedUrls`. */
export type Attachment = Readonly<{
  id: string;
  /** In pixels, where the upstream says so. */
  width: number | null;
  height: number | null;
}>;

/** An event before the table's other rows and the day are known: those give it its slug and status. */
export type EventDraft = Omit<MarqueeEvent, 'slug' | 'status' | 'pictures'> & {
  attachments: Readonly<{ logo: Attachment | null; background: Attachment | null }>;
};

/** Makes a picture of an attachment; null for one that is known to be no picture that can be shown. */
export type ToPicture = (attachment: Attachment) => Picture | null;

/** Where the bytes of an attachment are to be had now, and the colour of the card that it belongs to. */
export type AttachmentOrigin = Readonly<{
  url: string;
  color: string | null;
  width: number | null;
  height: number | null;
}>;
