import { z } from 'zod';
import type { Field } from './field.ts';
import {
  eventBackgroundSchema,
  eventPicturesSchema,
  eventThemeSchema,
  signedUrlNote,
} from './poster.ts';

/** How the poster of an event looks: half of its JSON. */
export const stylingFields = {
  logoUrl: {
    columns: { Logo: 'a picture' },
    schema: z.url().nullable().meta({ description: signedUrlNote }),
    shownIn: [],
  },
  background: {
    columns: {
      'Background Type': '`Color` or `Image`',
      'Background Color': 'a CSS colour, such as `#1f2430`',
      'Background Image': 'a picture',
    },
    schema: eventBackgroundSchema.nullable().meta({
      description: '`null` if the event has no styling of its own.',
    }),
    shownIn: ['posters'],
  },
  theme: {
    columns: {
      'Text Color': 'a CSS colour',
      'Accent Color': 'a CSS colour',
      'Logo Size': 'pixels, 16 to 512',
      'Button Color': 'a CSS colour',
      'Button Text Color': 'a CSS colour',
      'Button Border Radius': 'pixels, 0 to 999',
      'Button Border Width': 'pixels, 0 to 16',
      'Button Border Color': 'a CSS colour',
    },
    schema: eventThemeSchema.nullable().meta({
      description: '`null` if the event has no styling of its own.',
    }),
    shownIn: ['posters'],
  },
  pictures: { schema: eventPicturesSchema, shownIn: ['posters'] },
} as const satisfies Readonly<Record<string, Field>>;
