import { z } from 'zod';

/** The fields of an event that say how its poster looks. */

export const signedUrlNote =
  'Signed by the upstream; expires after about two hours. Use `pictures` for a URL that never expires.';

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
