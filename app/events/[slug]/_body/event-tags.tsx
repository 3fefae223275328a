import { projectTypeNames } from '#lib/events/model/project-type-names.ts';
import type { EventFormat, MarqueeEvent } from '#lib/events/model/schema.ts';
import { toSearch } from '#lib/events/query/filters.ts';
import { toFormatInWords } from '#lib/events/view/event-facts.ts';

const formatTags: Readonly<Record<EventFormat, readonly EventFormat[]>> = {
  'in-person': ['in-person'],
  online: ['online'],
  both: ['in-person', 'online'],
};

type EventTagsProps = Readonly<{ event: Pick<MarqueeEvent, 'format' | 'projectTypes'> }>;

/** Format and project types of an event, each a link to the events that share it. */
export function EventTags({ event }: EventTagsProps) {
  const { format, projectTypes } = event;
  const tags = [
    ...(format === null ? [] : formatTags[format]).map((one) => ({
      name: toFormatInWords(one),
      search: toSearch({ format: [one] }),
    })),
    ...projectTypes.map((type) => ({
      name: projectTypeNames[type],
      search: toSearch({ projectType: [type] }),
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
