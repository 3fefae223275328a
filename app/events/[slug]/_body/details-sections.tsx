import { listDetails, listFields } from '#lib/events/model/field-lists.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import type { NamedGroup } from '#lib/events/source/name-index.ts';
import { type GroupsOfEvent, toGroupPath } from '#lib/events/view/named-groups.ts';
import { toFullDay } from '#lib/events/words/dates-in-words.ts';
import { toSafeLinkUrl } from '#lib/representations/markdown/safe/safe-phrases.ts';
import { Fact } from '../../../_components/fact.tsx';

const ticketFields: ReadonlySet<string> = new Set(listFields('terms'));

type AboutSectionProps = Readonly<{ event: MarqueeEvent; groups: GroupsOfEvent }>;

/** Who runs an event, and what its ticket does not say. */
export function AboutSection({ event, groups }: AboutSectionProps) {
  const { organizer } = event;
  const details = listDetails(event).filter(({ name }) => !ticketFields.has(name));
  if (organizer === null && details.length === 0) return null;
  return (
    <section aria-labelledby="who">
      <h2 id="who">Good to know</h2>
      <dl className="event-facts">
        {organizer !== null && (
          <Fact term="Organizer">
            <Organizer {...organizer} />
            <GroupLink group={groups.organizer} words="All events" />
          </Fact>
        )}
        {details.map(({ name, label, value }) => (
          <Fact key={name} term={label}>
            <bdi>{value}</bdi>
            {name === 'series' && <GroupLink group={groups.series} words="All events" />}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function Organizer({ name, url }: NonNullable<MarqueeEvent['organizer']>) {
  const safeUrl = toSafeLinkUrl(url ?? '');
  const words = <bdi>{name}</bdi>;
  return safeUrl === null ? words : <a href={safeUrl}>{words}</a>;
}

/** A link to the page of an organizer or a series. */
function GroupLink({ group, words }: Readonly<{ group: NamedGroup | null; words: string }>) {
  if (group === null) return null;
  return (
    <>
      {' · '}
      <a href={toGroupPath(group)}>{words}</a>
    </>
  );
}

/** The programme of an event, by day. */
export function ScheduleSection({ event }: Readonly<{ event: MarqueeEvent }>) {
  const { schedule } = event;
  if (schedule === null) return null;
  const days = Map.groupBy(schedule, ({ day }) => day);
  return (
    <section aria-labelledby="schedule">
      <h2 id="schedule">Schedule</h2>
      {[...days].map(([day, entries]) => (
        <div key={day} className="event-schedule">
          {days.size > 1 && (
            <h3>
              <time dateTime={day}>{toFullDay(day)}</time>
            </h3>
          )}
          <dl className="event-facts">
            {entries.map(({ time, title }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a programme never changes while it is shown.
              <Fact key={index} term={time}>
                <bdi>{title}</bdi>
              </Fact>
            ))}
          </dl>
        </div>
      ))}
    </section>
  );
}
