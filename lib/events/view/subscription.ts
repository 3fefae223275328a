import { type EventsQuery, formatListQuery } from '../query/events-query.ts';
import { toFiltersInWords } from '../words/filter-words.ts';
import { feedTable } from './representation-table.ts';
import { pageUrl, type Site, toPageUrl } from './site-urls.ts';

/** The URLs by which calendar programs follow the events that match some filters. */
export type Subscription = Readonly<{
  /** What is in it: `Marquee: Online, Games`. */
  title: string;
  calendar: string;
  /** Opens the calendar program of the visitor’s machine. */
  webcal: string;
  google: string;
  outlook: string;
  /** Outlook for work and school. */
  office: string;
  /** What has changed, of all events. */
  changesRss: string;
}>;

export function toSubscription(filters: EventsQuery, site: Site): Subscription {
  const search = formatListQuery(filters);
  const calendar = pageUrl(site, 'calendar', search);
  const webcal = calendar.replace(/^https?:/, 'webcal:');
  const title = `${site.name}: ${toFiltersInWords(filters) || 'all events'}`;
  const outlook = `/calendar/0/addfromweb?${new URLSearchParams({ url: calendar, name: title })}`;
  return {
    title,
    calendar,
    webcal,
    // Google reads `cid` as a subscription only with this scheme.
    google: `https://calendar.google.com/calendar/render?cid=${encodeURIComponent(webcal)}`,
    outlook: `https://outlook.live.com${outlook}`,
    office: `https://outlook.office.com${outlook}`,
    changesRss: pageUrl(site, 'changesRss'),
  };
}

type FeedLink = Readonly<{ type: string; title: string; url: string }>;

/** The feeds of the events that match some filters. */
export function toFeedLinks(filters: EventsQuery, site: Site): FeedLink[] {
  const search = formatListQuery(filters);
  return Object.entries(feedTable).map(([type, { title, path }]) => {
    return { type, title, url: toPageUrl(site, path + search) };
  });
}

type CalendarProgram = Readonly<{
  name: string;
  /** Which URL of a subscription its button opens, and the button’s words. */
  link: keyof Subscription;
  action: string;
  steps: readonly [string, string, string];
  /** How soon it shows a change. */
  delay: string;
}>;

/** How to subscribe in each calendar program. */
export const calendarPrograms: readonly CalendarProgram[] = [
  {
    name: 'Apple Calendar',
    link: 'webcal',
    action: 'Open in Calendar',
    steps: [
      'Open this link on your iPhone, iPad or Mac.',
      'Choose “Subscribe”.',
      'Pick a colour, and choose “Add” or “OK”.',
    ],
    delay: 'You choose how often it checks for changes: every hour is best.',
  },
  {
    name: 'Google Calendar',
    link: 'google',
    action: 'Add to Google Calendar',
    steps: [
      'Open this link while you are signed in to Google.',
      'Choose “Add”.',
      'On your phone, tick the new calendar in the app’s menu.',
    ],
    delay: 'Google checks for changes once or twice a day.',
  },
  {
    name: 'Outlook',
    link: 'outlook',
    action: 'Add to Outlook.com',
    steps: [
      'Open this link while you are signed in to Outlook.',
      'Check the name, and choose “Import”.',
      'Find it under “My calendars”, or “Other calendars”.',
    ],
    delay: 'Outlook checks for changes every few hours.',
  },
  {
    name: 'Any other calendar',
    link: 'webcal',
    action: 'Open in your calendar',
    steps: [
      'Copy the link above.',
      'In your calendar, look for “Subscribe”, “From URL” or “Internet calendar”.',
      'Paste the link, and save.',
    ],
    delay: 'Works in Thunderbird, Fastmail, Proton, Nextcloud and most others.',
  },
];
