/** What was wrong, and what the operator can do about it. */
type Reason = Readonly<{ meaning: string; advice: string }>;

/** Why a row was left out. */
export const leftOutReasons = {
  no_name: { meaning: 'no name', advice: 'Fill in the name, or delete the row.' },
  no_start_date: { meaning: 'no start date', advice: 'Fill in the start date.' },
  impossible_start_date: {
    meaning: 'the start date cannot be read',
    advice: 'Write it as 2026-12-05, or make the column one of dates.',
  },
  ambiguous_start_date: {
    meaning: 'the start date may be of two months',
    advice: 'Write it as 2026-12-05, or make the column one of dates.',
  },
  repeated_id: { meaning: 'the same row again', advice: 'Nothing: the row is shown once.' },
} as const satisfies Readonly<Record<string, Reason>>;

const useTextColumn = 'Use a column of texts, numbers or choices, a lookup or a formula.';

/** Why a cell was changed or ignored. */
export const repairReasons = {
  not_text: { meaning: 'no text; ignored', advice: useTextColumn },
  linked_record: {
    meaning: 'a link to another table, without its names; ignored',
    advice:
      'Add a lookup or formula column with the names, and name it in EVENTS_COLUMNS or call it as this column.',
  },
  failed_formula: { meaning: 'a formula that failed; ignored', advice: 'Correct the formula.' },
  several_values: {
    meaning: 'several different values where one is meant; ignored',
    advice: 'Link one record, or use a rollup that gives one value.',
  },
  text_shortened: { meaning: 'too long; shortened', advice: 'Shorten the text.' },
  not_a_web_url: {
    meaning: 'no URL; ignored',
    advice: 'Write the whole URL, such as https://example.com/tickets.',
  },
  not_a_website: {
    meaning: 'an email address or phone number instead of a website; ignored',
    advice: 'Write it in Organizer URL, which may be one, or in the description.',
  },
  url_rewritten: { meaning: 'no https://; added', advice: 'Write the whole URL.' },
  url_in_text: { meaning: 'a URL in a text; taken from it', advice: 'Write the URL alone.' },
  several_urls: { meaning: 'several URLs; the first is taken', advice: 'Leave one URL.' },
  date_rewritten: {
    meaning: 'a date in another notation; rewritten',
    advice: 'Write it as 2026-12-05, or make the column one of dates.',
  },
  impossible_date: {
    meaning: 'a date that cannot be read; an end is taken as the start’s day',
    advice: 'Write it as 2026-12-05, or make the column one of dates.',
  },
  ambiguous_date: {
    meaning: 'a date that may be of two months; an end is taken as the start’s day',
    advice: 'Write it as 2026-12-05, or make the column one of dates.',
  },
  end_before_start: {
    meaning: 'the end is before the start; taken as the same day',
    advice: 'Correct one of the dates.',
  },
  not_a_time: {
    meaning: 'no date with a time; ignored',
    advice: 'Make the column one of dates with times.',
  },
  not_a_clock_time: {
    meaning: 'no time of the day; ignored',
    advice: 'Write it as 18:30 or 6:30 pm.',
  },
  time_rewritten: {
    meaning: 'a time in another notation; rewritten',
    advice: 'Write it as 18:30 or 6:30 pm.',
  },
  end_is_start: {
    meaning: 'the end is the start; ignored',
    advice: 'Correct one of the times, or empty the end.',
  },
  no_end_date: {
    meaning: 'no end date; read as daily hours',
    advice: 'Add an End Date if the event ends.',
  },
  unknown_time_zone: {
    meaning: 'a time zone that cannot be read; the time has no moment',
    advice: 'Write it as Europe/Brussels or UTC+2.',
  },
  not_a_schedule_line: {
    meaning: 'a line without a time; ignored',
    advice: 'Begin each line with a time: 19:00 Doors.',
  },
  schedule_shortened: { meaning: 'too many lines; shortened', advice: 'Shorten the schedule.' },
  not_a_city: {
    meaning: 'no city; ignored',
    advice: 'Empty the cell, and say in Format that the event is online.',
  },
  city_divided: {
    meaning: 'a city with its state, its country or “online”; read as these',
    advice: 'Nothing, or write them in columns of their own.',
  },
  unknown_country: {
    meaning: 'an unknown country; ignored',
    advice: 'Write a name such as Belgium, or an ISO code such as BE.',
  },
  impossible_coordinates: {
    meaning: 'no coordinates; ignored',
    advice: 'Write degrees, such as 51.05, in both columns.',
  },
  too_many_choices: { meaning: 'too many choices; shortened', advice: 'Leave fewer choices.' },
  unknown_choice: {
    meaning: 'an unknown choice; ignored',
    advice: 'Use one of the choices that /docs/events-table lists.',
  },
  several_channels: {
    meaning: 'several channels; the first is taken',
    advice: 'Leave one channel.',
  },
  not_a_channel: {
    meaning: 'no name of a channel; ignored',
    advice: 'Write the name as Slack shows it.',
  },
  not_a_number: { meaning: 'no number; ignored', advice: 'Make the column one of numbers.' },
  number_out_of_range: {
    meaning: 'a number that is too small or too large; changed',
    advice: 'Use a number that /docs/events-table allows.',
  },
  not_a_color: { meaning: 'no colour; ignored', advice: 'Write a CSS colour, such as #1f2430.' },
  not_a_picture: {
    meaning: 'no picture among the attachments; ignored',
    advice: 'Attach a PNG, JPEG, WebP, GIF, AVIF, TIFF or SVG.',
  },
  not_an_attachment: {
    meaning: 'no attachment; ignored',
    advice: 'Make the column one of attachments.',
  },
} as const satisfies Readonly<Record<string, Reason>>;

export type LeftOutReason = keyof typeof leftOutReasons;
export type RepairReason = keyof typeof repairReasons;
