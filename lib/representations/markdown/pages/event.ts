import type { BlockContent, Root } from 'mdast';
import { listDetails } from '#lib/events/model/field-lists.ts';
import type { EventState, MarqueeEvent } from '#lib/events/model/schema.ts';
import type { NamedGroup } from '#lib/events/source/name-index.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import {
  toEventTitle,
  toFormatInWords,
  toInPersonDatesInWords,
  toPlace,
  toStateInWords,
} from '#lib/events/view/event-facts.ts';
import { findGroupsOfEvent, listGroups } from '#lib/events/view/named-groups.ts';
import { describeLastChange } from '#lib/events/view/shown-changes.ts';
import { eventJsonUrl, type Site } from '#lib/events/view/site-urls.ts';
import { shortenText, toOneLine } from '#lib/events/words/clean-text.ts';
import { toCountryName } from '#lib/events/words/countries.ts';
import { toDatesInWords } from '#lib/events/words/dates-in-words.ts';
import { toEventLinks, toGroupLink } from '../alternate-links.ts';
import {
  code,
  heading,
  joinPhrases,
  link,
  type Phrase,
  paragraph,
  quote,
  root,
  table,
} from '../nodes.ts';
import { markdownLengthMax } from '../safe/bound-markdown.ts';
import { toSafeLinkUrl } from '../safe/safe-phrases.ts';
import { toSafeTree } from '../safe/safe-tree.ts';
import { writeFittingMarkdown } from '../write-markdown.ts';

type Fact = readonly [label: string, value: Phrase];

const titleLengthMax = 1_000;
const textLengthMax = 500;

const stateNotices: Readonly<Record<EventState, string | null>> = {
  scheduled: null,
  cancelled: 'Cancelled: this event does not take place.',
  postponed: 'Postponed: this event does not take place on these dates. New dates will follow.',
  'moved-online': 'Moved online: this event takes place, but only online.',
};

type EventOptions = Readonly<{
  site: Site;
  /** What has changed last, and when; null if nothing has. */
  lastChange?: string | null;
  /** Its city, organizer and series, whose pages it links to. */
  groups?: readonly NamedGroup[];
}>;

/** One event as a Markdown page: a table of facts, then its description and requirements. */
export function toEventMarkdown(
  event: MarqueeEvent,
  { site, lastChange = null, groups = [] }: EventOptions,
): string {
  return writeFittingMarkdown({
    toTree: (lengthMax) => toTree(event, { site, lastChange, groups, lengthMax }),
    sizeMax: markdownLengthMax,
  });
}

/** The Markdown of an event's page: with links to what it belongs to, and what has changed last. */
export function toEventPageMarkdown(
  event: MarqueeEvent,
  { site, snapshot }: Readonly<{ site: Site; snapshot: EventsSnapshot }>,
): string {
  return toEventMarkdown(event, {
    site,
    groups: listGroups(findGroupsOfEvent(snapshot, event.id)),
    lastChange: describeLastChange(snapshot, event),
  });
}

type PageOptions = Required<EventOptions> & Readonly<{ lengthMax: number }>;

function toTree(event: MarqueeEvent, options: PageOptions): Root {
  const { site, lastChange } = options;
  const facts = toFacts(event).map(([label, value]) => [label, value]);
  const notice = stateNotices[event.state];
  return root(
    heading(1, shortenText(toEventTitle(event), titleLengthMax)),
    toEventLinks(site, event),
    ...(notice === null ? [] : [quote(notice)]),
    ...(lastChange === null ? [] : [quote(shortenText(lastChange, textLengthMax))]),
    table(['Field', 'Value'], facts),
    ...toGroupLinks(options),
    ...toScheduleSection(event),
    ...toTextSection(event, { ...options, title: 'About', markdown: event.description }),
    ...toTextSection(event, { ...options, title: 'Requirements', markdown: event.requirements }),
  );
}

function toGroupLinks({ site, groups }: PageOptions): BlockContent[] {
  if (groups.length === 0) return [];
  const links = groups.map((group) => toGroupLink(site, group));
  return [paragraph('More: ', ...joinPhrases(links, ' · '))];
}

function toFacts(event: MarqueeEvent): Fact[] {
  const { inPerson, projectTypes, slackChannel } = event;
  const state = toStateInWords(event.state);
  const inPersonDates = toInPersonDatesInWords(inPerson);
  const place = toPlace(event);
  const website = toSafeLinkUrl(event.url ?? '');
  const slackUrl = toSafeLinkUrl(event.slackUrl ?? '');
  const channel = shortenText(toOneLine(slackChannel ?? ''), 200);
  const slackWords = channel === '' ? 'Slack' : `#${channel}`;
  const facts: Array<Fact | false> = [
    ['Status', event.status],
    state !== null && ['State', state.toLowerCase()],
    ['Dates', toDatesInWords(event)],
    ['Start date', event.startDate],
    ['End date', event.endDate ?? 'none (open-ended)'],
    ['Format', toFormatInWords(event.format) ?? 'unknown'],
    inPersonDates !== null && ['In person', inPersonDates],
    ...toTimeFacts(event),
    place !== null && ['Place', shortenText(place, 500)],
    ...toDetailFacts(event),
    projectTypes.length > 0 && ['Project types', projectTypes.join(', ')],
    website !== null && ['Website', toFactLink(website, website)],
    slackUrl !== null && ['Slack', toFactLink(slackUrl, slackWords)],
    slackUrl === null && channel !== '' && ['Slack', slackWords],
    event.pinned && ['Pinned', 'yes'],
    ['Announced', event.announcedAt],
    ['Id', code(shortenText(toOneLine(event.id), 100))],
    ['Slug', code(shortenText(toOneLine(event.slug), 200))],
  ];
  return facts.filter((fact) => fact !== false);
}

function toTimeFacts(event: MarqueeEvent): Array<Fact | false> {
  const { startTime, endTime, timeZone, startsAt, endsAt } = event;
  return [
    startTime !== null && ['Start time', startTime],
    endTime !== null && ['End time', endTime],
    timeZone !== null && ['Time zone', timeZone],
    startsAt !== null && ['Starts at', startsAt],
    endsAt !== null && ['Ends at', endsAt],
  ];
}

function toDetailFacts(event: MarqueeEvent): Array<Fact | false> {
  const { place, organizer } = event;
  const { address, city, region, country, latitude, longitude } = place ?? nowhere;
  const website = toSafeLinkUrl(organizer?.url ?? '');
  const toText = (text: string | null) => shortenText(toOneLine(text ?? ''), 300);
  return [
    address !== null && ['Address', toText(address)],
    city !== null && ['City', toText(city)],
    region !== null && ['Region', toText(region)],
    country !== null && ['Country', `${toCountryName(country)} (${country})`],
    latitude !== null && ['Coordinates', `${latitude}, ${longitude}`],
    organizer !== null && [
      'Organizer',
      website === null ? toText(organizer.name) : toFactLink(website, toText(organizer.name)),
    ],
    ...listDetails(event).map(({ label, value }): Fact => [label, toText(String(value))]),
  ];
}

const nowhere = {
  address: null,
  city: null,
  region: null,
  country: null,
  latitude: null,
  longitude: null,
};

function toScheduleSection({ schedule }: MarqueeEvent): BlockContent[] {
  if (schedule === null) return [];
  const rows = schedule.map(({ day, time, title }) => [day, time, toOneLine(title)]);
  return [heading(2, 'Schedule'), table(['Day', 'Time', 'What'], rows)];
}

// An endless URL is useless and would fill the page.
function toFactLink(url: string, words: string): Phrase {
  return url.length > 2_000 ? shortenText(words, 200) : link(url, words);
}

type TextSection = PageOptions & Readonly<{ title: string; markdown: string | null }>;

function toTextSection(
  event: MarqueeEvent,
  { site, lengthMax, title, markdown }: TextSection,
): BlockContent[] {
  const { tree, isCut } = toSafeTree(markdown ?? '', lengthMax);
  const blocks = tree.children;
  const note = paragraph(
    'This text was shortened. Read all of it in ',
    link(eventJsonUrl(site, event), 'the event as JSON'),
    '.',
  );
  if (blocks.length === 0 && !isCut) return [];
  return [heading(2, title), ...blocks, ...(isCut ? [note] : [])];
}
