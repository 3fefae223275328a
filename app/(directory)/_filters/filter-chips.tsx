import { type ReactNode, useState } from 'react';
import { projectTypeNames } from '#lib/events/model/project-type-names.ts';
import {
  type EventsQuery,
  type FilterName,
  formatQuery,
  hasFilter,
  toggleFilter,
  withinDefaultKm,
  withoutFilters,
  withSearch,
} from '#lib/events/query/events-query.ts';
import { factFilters } from '#lib/events/query/fact-filters.ts';
import type { SearchNotes } from '#lib/events/view/search-notes.ts';
import { toDayInWords, toShortDays } from '#lib/events/words/dates-in-words.ts';
import {
  describeMaxPrice,
  formatWords,
  listFilterWords,
  stateWords,
  statusWords,
  whenWords,
} from '#lib/events/words/filter-words.ts';
import { Icon } from '../../_components/icon.tsx';
import { NearMe } from '../../_components/map/near-me.tsx';
import { onPlainClick } from '../../_components/use-url-history.ts';
import '../../_components/chip.css';

/** A value of a filter, as a visitor reads it. */
type FilterChoice = Readonly<{
  name: FilterName;
  value: string;
  words: string;
  /** Whether it is offered as a chip even while it is off. */
  isOffered: boolean;
}>;

/** @param price of the chip for `maxPrice`. */
function toFilterChoices(price: string | null): FilterChoice[] {
  return [
    ...toChoices('status', statusWords, false),
    ...toChoices('state', stateWords, false),
    ...toChoices('format', { both: formatWords.both }, false),
    ...toChoices('when', whenWords, true),
    ...toChoices(
      'format',
      { online: formatWords.online, 'in-person': formatWords['in-person'] },
      true,
    ),
    ...toChoices('price', { free: factFilters.price.free }, true),
    ...toChoices('maxPrice', price === null ? {} : { [price]: describeMaxPrice(price) }, true),
    ...toChoices('price', { paid: factFilters.price.paid }, false),
    ...toChoices('audience', factFilters.audience, false),
    ...toChoices('hasPlaces', factFilters.hasPlaces, false),
    ...toChoices('projectType', projectTypeNames, true),
  ];
}

function toChoices(
  name: FilterName,
  names: Readonly<Record<string, string>>,
  isOffered: boolean,
): FilterChoice[] {
  return Object.entries(names).map(([value, words]) => ({ name, value, words, isOffered }));
}

/** Filters with any value, which are chips only while they are on. */
const namedFilters: ReadonlySet<FilterName> = new Set([
  'city',
  'country',
  'organizer',
  'series',
  'near',
]);

/** The range of days of filters: `5–7 Dec`, `from 5 Dec 2026`; null without one. */
function toRangeInWords({ from, to }: EventsQuery, today: string): string | null {
  if (from && from === to) return toDayInWords(from);
  if (from && to) return toShortDays({ startDate: from, endDate: to }, today);
  if (from) return `From ${toDayInWords(from)}`;
  return to ? `Until ${toDayInWords(to)}` : null;
}

type FilterChipsProps = Readonly<{
  filters: EventsQuery;
  /** What was understood of the search, and the city that the visitor is near. */
  notes: SearchNotes;
  today: string;
  /** Whether events have times: otherwise, none is tonight. */
  hasTimes: boolean;
  /** A price that some events stay below, as `maxPrice` has it. */
  lowPrice: string | null;
  /** Whether days are filters: those of a month are not. */
  hasDays?: boolean;
  /** The URL of the page with other filters. */
  toHref?: (filters: EventsQuery) => string;
  /** Called with what a chip does to the filters. With another button, chips are links. */
  onChange: (change: (filters: EventsQuery) => EventsQuery) => void;
}>;

/** Filters at one tap. They are links, so they work without JavaScript. */
export function FilterChips(props: FilterChipsProps) {
  const { filters, notes, today, hasTimes, lowPrice, hasDays = true, onChange } = props;
  const { toHref = toDirectoryHref } = props;
  const range = toRangeInWords(filters, today);
  const toProps = ({ name, value }: FilterChoice) => {
    const change = (from: EventsQuery) => toggleFilter(from, name, value);
    return { isOn: hasFilter(filters, name, value), href: toHref(change(filters)), change };
  };
  // Filters that are on when the page loads come first: on a phone, later ones may be out of sight.
  const [loaded] = useState(filters);
  const wasOn = ({ name, value }: FilterChoice) => hasFilter(loaded, name, value);
  const shown = toFilterChoices(filters.maxPrice ?? lowPrice).filter(
    ({ isOffered, name, value }) =>
      (isOffered && (hasTimes || value !== 'tonight') && (hasDays || name !== 'when')) ||
      hasFilter(filters, name, value),
  );
  const clearRange = (from: EventsQuery) => withoutFilters(from, 'from', 'to');
  return (
    <ul className="chips" aria-label="Quick filters">
      {notes.chips.map(({ label, rest }) => (
        <Chip
          key={`q ${label} ${rest}`}
          isOn
          name="q"
          href={toHref(withSearch(filters, rest))}
          change={(from) => withSearch(from, rest)}
          onChange={onChange}
        >
          <bdi>{label}</bdi>
        </Chip>
      ))}
      {range !== null && (
        <Chip isOn href={toHref(clearRange(filters))} change={clearRange} onChange={onChange}>
          {range}
        </Chip>
      )}
      {listFilterWords(filters)
        .filter(({ name }) => namedFilters.has(name))
        .map(({ name, words }) => {
          const change = (from: EventsQuery) => withoutFilters(from, name);
          const href = toHref(change(filters));
          return (
            <Chip key={name} isOn href={href} change={change} onChange={onChange}>
              <bdi>
                {name === 'near' && notes.nearCity !== null ? `Near ${notes.nearCity}` : words}
              </bdi>
            </Chip>
          );
        })}
      {filters.near === undefined ? (
        <li>
          <NearMe className="chip" onFound={(near) => onChange((from) => ({ ...from, near }))} />
        </li>
      ) : (
        <Distances filters={filters} toHref={toHref} onChange={onChange} />
      )}
      {[...shown.filter(wasOn), ...shown.filter((choice) => !wasOn(choice))].map((choice) => (
        <Chip
          key={`${choice.name} ${choice.value}`}
          {...toProps(choice)}
          name={choice.name}
          onChange={onChange}
        >
          {choice.words}
        </Chip>
      ))}
    </ul>
  );
}

/** In km. */
const distances = [10, withinDefaultKm, 200];

type DistancesProps = Required<Pick<FilterChipsProps, 'filters' | 'toHref' | 'onChange'>>;

/** How far events may be: one is always chosen. */
function Distances({ filters, toHref, onChange }: DistancesProps) {
  const { within = withinDefaultKm } = filters;
  // From a form or a URL it is a text.
  const chosen = Number(within);
  return [...new Set([...distances, chosen])]
    .sort((a, b) => a - b)
    .map((distance) => {
      const change = (from: EventsQuery) => ({ ...from, within: distance });
      return (
        <Chip
          key={distance}
          isOn={distance === chosen}
          isRemovable={false}
          name="within"
          href={toHref(change(filters))}
          change={change}
          onChange={onChange}
        >
          {distance} km
        </Chip>
      );
    });
}

type ChipProps = Readonly<{
  isOn: boolean;
  /** Whether it can be turned off, not only replaced by another. */
  isRemovable?: boolean;
  name?: FilterName;
  href: string;
  change: (filters: EventsQuery) => EventsQuery;
  onChange: FilterChipsProps['onChange'];
  children: ReactNode;
}>;

function Chip(props: ChipProps) {
  const { isOn, isRemovable = isOn, name, href, change, onChange, children } = props;
  return (
    <li data-name={name}>
      <a
        className="chip"
        href={href}
        aria-current={isOn ? 'true' : undefined}
        onClick={onPlainClick(() => onChange(change))}
      >
        {children}
        {isRemovable && (
          <>
            <span className="visually-hidden">, on. Remove this filter</span>
            <Icon name="remove" />
          </>
        )}
      </a>
    </li>
  );
}

function toDirectoryHref(filters: EventsQuery): string {
  return `/${formatQuery(filters)}`;
}
