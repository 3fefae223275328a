import { z } from 'zod';

/** The fields of an event that say at what time, where, by whom and for whom it is. */

export const calendarDateSchema = z.iso.date().meta({
  description: 'A calendar date without a time zone, `YYYY-MM-DD`.',
  examples: ['2026-12-12'],
});

const clockTimeSchema = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
  .meta({ description: 'A clock time, `HH:MM`.', examples: ['18:30'] });

const instantNote = 'RFC 3339 with the offset of `timeZone`.';

export const eventInPersonSchema = z
  .object({
    start: calendarDateSchema.nullable(),
    end: calendarDateSchema.nullable(),
    location: z.string().nullable().meta({ description: 'Where the event takes place.' }),
  })
  .meta({ id: 'EventInPerson', description: 'The in-person part of an event.' });

export const eventPlaceSchema = z
  .object({
    name: z.string().nullable().meta({ description: 'Same as `inPerson.location`.' }),
    address: z.string().nullable(),
    city: z.string().nullable(),
    region: z
      .string()
      .nullable()
      .meta({ description: 'State or province, as in an address.', examples: ['NY'] }),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullable()
      .meta({ description: 'ISO 3166-1 alpha-2.', examples: ['BE'] }),
    latitude: z.number().min(-90).max(90).nullable().meta({
      description: 'In degrees (WGS 84); `null` if and only if `longitude` is.',
    }),
    longitude: z.number().min(-180).max(180).nullable(),
  })
  .meta({ id: 'EventPlace', description: 'Where the event takes place, in parts.' });

export const eventOrganizerSchema = z
  .object({
    name: z.string(),
    url: z.url().nullable().meta({
      description: 'Their website, or their email address or phone number as `mailto:` or `tel:`.',
    }),
  })
  .meta({ id: 'EventOrganizer', description: 'Who runs the event.' });

export const scheduleEntrySchema = z
  .object({ day: calendarDateSchema, time: clockTimeSchema, title: z.string() })
  .meta({ id: 'ScheduleEntry', description: 'One item of an event’s programme.' });

export const timeSchemas = {
  startTime: clockTimeSchema.nullable().meta({
    description: 'When the event starts on `startDate`, as a clock in `timeZone` shows it.',
  }),
  endTime: clockTimeSchema.nullable().meta({
    description:
      'When the event ends on `endDate`. Before `startTime` on a single day, it is on the next day. Without an `endDate`, the event ends at this time every day.',
  }),
  timeZone: z
    .string()
    .nullable()
    .meta({
      description:
        'The IANA time zone of `startTime`, `endTime` and `schedule`: the event’s own, else that of its place, else the site’s. `null` if its own cannot be read, or if there are no times and no zone.',
      examples: ['Europe/Brussels'],
    }),
  startsAt: z.iso
    .datetime({ offset: true })
    .nullable()
    .meta({
      description: `\`startDate\` at \`startTime\`; \`null\` without one, or without a \`timeZone\`. ${instantNote}`,
      examples: ['2026-12-12T18:30:00+01:00'],
    }),
  endsAt: z.iso
    .datetime({ offset: true })
    .nullable()
    .meta({
      description: `When the event ends; \`null\` without an \`endTime\` or an \`endDate\`. It may be on the day after \`endDate\`. ${instantNote}`,
    }),
  schedule: z.array(scheduleEntrySchema).nullable(),
};

export type EventPlace = z.infer<typeof eventPlaceSchema>;
export type EventOrganizer = z.infer<typeof eventOrganizerSchema>;
export type ScheduleEntry = z.infer<typeof scheduleEntrySchema>;
