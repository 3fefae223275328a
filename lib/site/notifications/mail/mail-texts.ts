import type { BlockContent } from 'mdast';
import { weekdayNames } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import type { EventsQuery } from '#lib/events/query/events-query.ts';
import {
  toEventTitle,
  toFactsLine,
  toTimesInWords,
  toWhereInWords,
} from '#lib/events/view/event-facts.ts';
import { eventPageUrl, type Site, toPageUrl } from '#lib/events/view/site-urls.ts';
import { shortenText, toOneLine } from '#lib/events/words/clean-text.ts';
import { toDatesInWords } from '#lib/events/words/dates-in-words.ts';
import { stateWords, toFiltersInWords } from '#lib/events/words/filter-words.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import {
  heading,
  link,
  list,
  type Phrase,
  paragraph,
  root,
} from '#lib/representations/markdown/nodes.ts';
import type { MailedEvent, MailedFacts, Move } from './digest/mention-store.ts';
import { type ReminderTime, toReminderWord } from './reminders/reminder-times.ts';
import { type MailText, renderMail } from './render-mail.ts';
import type { MailSettings, ReminderList } from './subscribing/mail-settings.ts';

/** The link of somebody's subscription, to change or stop it. */
function manageUrl(site: Site, token: string): string {
  return toPageUrl(site, `/subscribe/mail/settings/${token}`);
}

type ConfirmationMail = Readonly<{
  site: Site;
  token: string;
  settings: MailSettings | ReminderList;
}>;

/** Says nothing that the person chose who asked for it: that may have been anybody. */
export function toConfirmationMail({ site, token, settings }: ConfirmationMail): MailText {
  const name = toOneLine(site.name);
  const url = toPageUrl(site, `/subscribe/mail/confirm/${token}`);
  const [subject, title, what] =
    'eventIds' in settings
      ? [
          `Confirm your reminders from ${name}`,
          `Reminders from ${name}, by email?`,
          `reminders of events of ${name} at this address`,
        ]
      : [
          `Confirm your weekly email from ${name}`,
          `New events from ${name}, by email?`,
          `the new events of ${name} at this address, ${toTimeInWords(settings)}`,
        ];
  return renderMail(
    subject,
    root(
      heading(1, title),
      paragraph(`Somebody, probably you, asked for ${what}.`),
      paragraph(link(url, 'Yes, send them to me')),
      paragraph(
        'The link works for two days. If that wasn’t you, do nothing, and we won’t write again.',
      ),
    ),
  );
}

/** What is in all mails of a subscription. */
type MailFrame = Readonly<{
  site: Site;
  token: string;
  /** Why and when it comes. */
  reason: string;
}>;

type DigestMail = MailFrame &
  Readonly<{
    fresh: readonly MailedEvent[];
    reminders: readonly MailedEvent[];
  }>;

export function toDigestMail(mail: DigestMail): MailText {
  const { site, fresh, reminders } = mail;
  const section = (title: string, events: readonly MailedEvent[]): BlockContent[] =>
    events.length === 0
      ? []
      : [heading(2, title), ...events.flatMap((event) => toEventBlocks(event, site))];
  return renderMail(
    toEventsSubject([...fresh, ...reminders]),
    root(
      heading(1, `Events from ${toOneLine(site.name)}`),
      ...section('New', fresh),
      ...section('Coming up', reminders),
      ...toEnd(mail),
    ),
  );
}

type ReminderMail = MailFrame &
  Readonly<{
    due: readonly Readonly<{ event: MarqueeEvent; time: ReminderTime }>[];
    /** Of the site. */
    timeZone: string;
    now: number;
  }>;

export function toReminderMail({ due, timeZone, now, ...frame }: ReminderMail): MailText {
  const { site } = frame;
  const soonest = due.toSorted(
    (a, b) => (a.time.startsAtMs ?? Number.MAX_VALUE) - (b.time.startsAtMs ?? Number.MAX_VALUE),
  );
  const byWord = Map.groupBy(soonest, ({ event, time }) =>
    toReminderWord(time, { timeZone: event.timeZone ?? timeZone, now }),
  );
  const [word = ''] = byWord.keys();
  const subject = toEventsSubject(soonest.map(({ event }) => event));
  return renderMail(
    byWord.size === 1 ? `${word}: ${subject}` : subject,
    root(
      heading(1, 'Events of your list'),
      ...[...byWord].flatMap(([word, events]) => [
        heading(2, word),
        ...events.flatMap(({ event }) => toEventBlocks(event, site)),
      ]),
      ...toEnd(frame),
    ),
  );
}

export type MovedEvent = Readonly<{ event: MailedEvent; mailed: MailedFacts; move: Move }>;

type MoveMail = MailFrame & Readonly<{ moved: readonly MovedEvent[] }>;

const moveWords: Readonly<Record<Move, string>> = { ...stateWords, moved: 'Moved' };

export function toMoveMail({ moved, ...mail }: MoveMail): MailText {
  const { site } = mail;
  const [first] = moved;
  const subject =
    moved.length === 1 && first !== undefined
      ? `${moveWords[first.move]}: ${toMailTitle(first.event)}`
      : `Changed: ${toEventsSubject(moved.map(({ event }) => event))}`;
  return renderMail(
    subject,
    root(
      heading(1, moved.length === 1 ? 'An event has changed' : 'Events have changed'),
      ...moved.flatMap((change) => toEventBlocks(change.event, site, [toMoveInWords(change)])),
      ...toEnd(mail),
    ),
  );
}

function toMoveInWords({ event, mailed, move }: MovedEvent): string {
  const before = shortenText(
    [toDatesInWords(mailed), mailed.place].filter(Boolean).join(', '),
    300,
  );
  const after = shortenText(
    [toTimesInWords(event), toWhereInWords(event)].filter(Boolean).join(', '),
    300,
  );
  switch (move) {
    case 'cancelled':
      return `Cancelled: it does not take place (${before}).`;
    case 'postponed':
      return `Postponed: it does not take place on ${toDatesInWords(mailed)}. New dates will follow.`;
    case 'moved-online':
      return `Moved online: ${toTimesInWords(event)}, but no longer at its place.`;
    case 'moved':
      return `Now: ${after}. Before: ${before}.`;
  }
}

function toEnd({ site, token, reason }: MailFrame): BlockContent[] {
  return [
    heading(2, 'This email'),
    paragraph(reason),
    paragraph(link(manageUrl(site, token), 'Change or stop it')),
  ];
}

/** Why and when a digest comes. */
export function toDigestReason(settings: MailSettings, filters: EventsQuery): string {
  const words = toFiltersInWords(filters);
  return `It comes ${toTimeInWords(settings)} if there is something new, and when an event in it is cancelled or moved. Events: ${words === '' ? 'all' : shortenText(toOneLine(words), 300)}.`;
}

export const reminderReason =
  'It comes a day and an hour before an event of your list, or just the day before if it has no time, and when one is cancelled or moved. Once all are over, we delete your list.';

/** `on Mondays at 8:00 (Europe/Lisbon)`. */
export function toTimeInWords({ weekday, hour, timeZone }: MailSettings): string {
  return `on ${weekdayNames[weekday]}s at ${hour}:00 (${timeZone.replaceAll('_', ' ')})`;
}

type AlertMail = Readonly<{
  site: Site;
  subject: string;
  lines: readonly string[];
  /** The page that shows more, where people also choose whether such emails come. */
  path: string;
}>;

const lineLengthMax = 500;

/** What a member or an admin is told. */
export function toAlertMail({ site, subject, lines, path }: AlertMail): MailText {
  const title = shortenText(toOneLine(subject), 150);
  const name = toOneLine(site.name);
  const texts = lines.map((line) => shortenText(toOneLine(line), lineLengthMax));
  const [only = ''] = texts;
  return renderMail(
    `${name}: ${title}`,
    root(
      heading(1, title),
      texts.length === 1 ? paragraph(only) : list(texts.map((text) => [text])),
      paragraph(link(toPageUrl(site, path), `See it at ${name}`)),
      paragraph(
        path === '/account'
          ? 'You asked for these emails on that page, and can stop them there.'
          : `You get these emails as an admin of ${name}.`,
      ),
    ),
  );
}

const titleLengthMax = 200;
const factsLengthMax = 400;

/** An event in an email: its name, which leads to its page, and a line about it. */
function toEventBlocks(
  event: MailedEvent,
  site: Site,
  line: readonly Phrase[] = [shortenText(toFactsLine(event), factsLengthMax)],
): BlockContent[] {
  return [heading(3, link(eventPageUrl(site, event.slug), toMailTitle(event))), paragraph(...line)];
}

/** `Lantern Jam and 2 more events`. */
function toEventsSubject(events: readonly MailedEvent[]): string {
  const [first] = events;
  if (first === undefined) return '';
  const more = events.length - 1;
  if (more === 0) return toMailTitle(first);
  return `${shortenText(toMailTitle(first), 100)} and ${formatCountOf(more, 'more event')}`;
}

function toMailTitle(event: Pick<MailedEvent, 'name' | 'slug'>): string {
  return shortenText(toEventTitle(event), titleLengthMax);
}
