import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { toHast } from 'mdast-util-to-hast';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { projectTypeNames } from '#lib/events/model/project-type-names.ts';
import type { EventFormat, MarqueeEvent } from '#lib/events/model/schema.ts';
import { formatQuery } from '#lib/events/query/events-query.ts';
import { toFormatInWords } from '#lib/events/view/event-facts.ts';
import { toChannelUrl, toJoinAction } from '#lib/events/view/join-action.ts';
import type { GroupsOfEvent } from '#lib/events/view/named-groups.ts';
import { type TextAttributes, toTextAttributes } from '#lib/events/words/event-language.ts';
import { toSafeTree } from '#lib/representations/markdown/safe/safe-tree.ts';
import { Fact } from '../../../_components/fact.tsx';
import { ScrolledCode, ScrolledTable } from '../../../_components/scrolled.tsx';
import { DatesSection } from './dates-section.tsx';
import { AboutSection, ScheduleSection } from './details-sections.tsx';
import { PlaceSection } from './place-section.tsx';

type EventBodyProps = Readonly<{
  event: MarqueeEvent;
  groups: GroupsOfEvent;
  slackWorkspaceUrl: string | null;
}>;

/** What an event is about, what it takes, and its details, in two columns of about the same height. */
export function EventBody({ event, groups, slackWorkspaceUrl }: EventBodyProps) {
  const { description, requirements } = event;
  const language = toTextAttributes(event);
  const schedule = <ScheduleSection event={event} />;
  const place = <PlaceSection event={event} city={groups.city} />;
  const belowTexts = listBelowTexts(event);
  return (
    <div className="event-body">
      <div className="event-texts">
        <section aria-labelledby="about">
          <h2 id="about">About</h2>
          {description === null ? (
            <p className="quiet">There is no description yet.</p>
          ) : (
            <EventText markdown={description} language={language} />
          )}
        </section>
        {requirements !== null && (
          <section aria-labelledby="requirements">
            <h2 id="requirements">What you need</h2>
            <EventText markdown={requirements} language={language} />
          </section>
        )}
        {belowTexts.has('schedule') && schedule}
        {belowTexts.has('place') && place}
      </div>
      <div className="event-details">
        <DatesSection event={event} />
        <AboutSection event={event} groups={groups} />
        {!belowTexts.has('schedule') && schedule}
        {!belowTexts.has('place') && place}
        <EventLinks event={event} slackWorkspaceUrl={slackWorkspaceUrl} />
        <EventTags event={event} />
      </div>
    </div>
  );
}

type MovableSection = 'schedule' | 'place';

const lineLength = 65;
const lines = { heading: 3, fact: 2, map: 13, facts: 16 };

/** The sections that stand below the texts: a short description would leave half of its column empty. */
function listBelowTexts({
  description,
  requirements,
  schedule,
}: MarqueeEvent): ReadonlySet<MovableSection> {
  let texts = [description, requirements].reduce((sum, text) => sum + countLines(text ?? ''), 0);
  let details = lines.facts;
  const below = new Set<MovableSection>();
  const heights: readonly (readonly [MovableSection, number])[] = [
    ['schedule', schedule === null ? 0 : lines.heading + schedule.length * lines.fact],
    ['place', lines.heading + lines.map],
  ];
  for (const [section, height] of heights) {
    if (texts < details) {
      below.add(section);
      texts += height;
    } else details += height;
  }
  return below;
}

function countLines(text: string): number {
  return text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineLength)), 0);
}

type EventLinksProps = Readonly<{ event: MarqueeEvent; slackWorkspaceUrl: string | null }>;

/** The event's channel, unless the button to join leads there. Its website is in the ticket. */
function EventLinks({ event, slackWorkspaceUrl }: EventLinksProps) {
  const { slackChannel } = event;
  const channelUrl = toChannelUrl(event, slackWorkspaceUrl);
  const channel = slackChannel === null ? 'Slack' : `#${slackChannel}`;
  const join = toJoinAction(event, slackWorkspaceUrl);
  const isInTicket = join?.kind === 'words' || (join?.kind === 'link' && join.url === channelUrl);
  if (isInTicket || (channelUrl === null && slackChannel === null)) return null;
  return (
    <section aria-labelledby="links">
      <h2 id="links">Chat</h2>
      <dl className="event-facts">
        <Fact term="Slack">
          {channelUrl === null ? channel : <a href={channelUrl}>{channel}</a>}
        </Fact>
      </dl>
    </section>
  );
}

const formatTags: Readonly<Record<EventFormat, readonly EventFormat[]>> = {
  'in-person': ['in-person'],
  online: ['online'],
  both: ['in-person', 'online'],
};

type EventTagsProps = Readonly<{ event: Pick<MarqueeEvent, 'format' | 'projectTypes'> }>;

/** Format and project types of an event, each a link to the events that share it. */
function EventTags({ event }: EventTagsProps) {
  const { format, projectTypes } = event;
  const tags = [
    ...(format === null ? [] : formatTags[format]).map((tag) => ({
      name: toFormatInWords(tag),
      search: formatQuery({ format: [tag] }),
    })),
    ...projectTypes.map((type) => ({
      name: projectTypeNames[type],
      search: formatQuery({ projectType: [type] }),
    })),
  ];
  if (tags.length === 0) return null;
  return (
    <ul className="event-tags" aria-label="More events like this">
      {tags.map(({ name, search }) => (
        <li key={name}>
          <a href={`/${search}`}>{name}</a>
        </li>
      ))}
    </ul>
  );
}

const components = { pre: ScrolledCode, table: ScrolledTable };

type EventTextProps = Readonly<{ markdown: string; language: TextAttributes }>;

/** An event's Markdown, sanitized. */
function EventText({ markdown, language }: EventTextProps) {
  const { tree, isCut } = toSafeTree(markdown);
  return (
    <div className="event-text prose" lang={language.lang} dir="auto">
      {toJsxRuntime(toHast(tree), { Fragment, jsx, jsxs, components })}
      {isCut && <p>The rest of this text is in the event’s JSON.</p>}
    </div>
  );
}
