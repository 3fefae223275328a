import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type CityMark, describeCityCounts } from '#lib/events/view/city-marks.ts';
import { toGroupPath } from '#lib/events/view/named-groups.ts';
import { toCountryName } from '#lib/events/words/countries.ts';
import { toTextAttributes } from '#lib/events/words/event-language.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { toWhen } from '#lib/events/words/when.ts';
import {
  type MapArea,
  type MapView,
  toAreaName,
  toMapPath,
} from '#lib/representations/map/areas.ts';
import { Icon } from '../_components/icon.tsx';

type CityListProps = Readonly<{
  cities: readonly CityMark[];
  view: MapView;
  /** Of all cities, shown or not. */
  total: number;
  today: string;
}>;

type CountryCities = readonly [country: string | null, cities: readonly CityMark[]];

/** Cities with their next events, by country. A mark of the map opens its city here. */
export function CityList({ cities, view, total, today }: CityListProps) {
  const byCountry = [...Map.groupBy(cities, ({ group }) => group.country)].sort(byCountryName);
  return (
    <section className="map-cities" aria-label="Cities">
      {cities.length === 0 && (
        <p>
          Nothing is coming up here. <a href="/map">See where something is</a>.
        </p>
      )}
      {byCountry.map(([country, inCountry]) => (
        <div key={country}>
          <h2>{country === null ? 'Elsewhere' : <CountryName country={country} view={view} />}</h2>
          <ul>
            {inCountry.map((city) => (
              <City key={city.group.slug} city={city} today={today} />
            ))}
          </ul>
        </div>
      ))}
      {total > cities.length && (
        <p className="quiet">
          The {cities.length} cities with the most events, of {formatCount(total)}.
        </p>
      )}
      <p>
        <a href={toMapPath({ ...view, hasPast: !view.hasPast })}>
          {view.hasPast ? 'Hide past events' : 'Show past events, too'}
        </a>
      </p>
    </section>
  );
}

/** Countries by name; cities without one are last. */
function byCountryName([a]: CountryCities, [b]: CountryCities): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return toCountryName(a).localeCompare(toCountryName(b), 'en');
}

function CountryName({ country, view }: Readonly<{ country: string; view: MapView }>) {
  const area: MapArea = { kind: 'country', code: country };
  if (view.area.kind === 'country') return toAreaName(area);
  return <a href={toMapPath({ ...view, area })}>{toAreaName(area)}</a>;
}

/** Its page has the others. */
const eventsMax = 5;

/** The id of a city in the list: a mark leads there. */
export function toCityId({ group }: Pick<CityMark, 'group'>): string {
  return `in-${group.slug}`;
}

function City({ city, today }: Readonly<{ city: CityMark; today: string }>) {
  const { group, counts, ahead, status } = city;
  return (
    <li id={toCityId(city)} className="map-city" data-status={status}>
      <h3>
        <a href={toGroupPath(group)}>
          <bdi>{group.name}</bdi>
        </a>
        <span className="quiet">{describeCityCounts(counts)}</span>
      </h3>
      {/* A mark has opened it over the map. */}
      <a className="icon-button map-close" href="#map" title="Close">
        <Icon name="remove" />
        <span className="visually-hidden">Close</span>
      </a>
      {ahead.length > 0 && (
        <ul>
          {ahead.slice(0, eventsMax).map((event) => (
            <CityEvent key={event.id} event={event} today={today} />
          ))}
        </ul>
      )}
      {ahead.length > eventsMax && (
        <p>
          <a href={toGroupPath(group)}>{formatCount(ahead.length - eventsMax)} more</a>
        </p>
      )}
    </li>
  );
}

function CityEvent({ event, today }: Readonly<{ event: MarqueeEvent; today: string }>) {
  const { words, inPerson } = toWhen(event, today);
  return (
    <li>
      <a href={`/events/${event.slug}`}>
        <bdi {...toTextAttributes(event)}>{event.name}</bdi>
      </a>
      <span className="quiet">{inPerson?.words ?? words}</span>
    </li>
  );
}
