import type { Metadata } from 'next';
import { type CityMark, describeCityCounts } from '#lib/events/view/city-marks.ts';
import { toGroupPath } from '#lib/events/view/named-groups.ts';
import { toCountryName } from '#lib/events/words/countries.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import {
  continents,
  type MapArea,
  parseArea,
  selectCities,
  toAreaName,
  toMapPath,
} from '#lib/representations/map/areas.ts';
import { drawMap } from '#lib/representations/map/draw-map.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { NearMe } from '../_components/map/near-me.tsx';
import { PageFormats } from '../_components/page-formats.tsx';
import { toPageMetadata } from '../_metadata/page-metadata.ts';
import { WorldMap } from './world-map.tsx';
import '../_components/chip.css';
import './map.css';

type MapPageProps = Readonly<{ searchParams: Promise<{ area?: string | string[] }> }>;

/** More marks than these hide each other; maps of smaller areas have the rest. */
const citiesMax = 250;

const world: MapArea = { kind: 'world' };

export async function generateMetadata({ searchParams }: MapPageProps): Promise<Metadata> {
  const area = (await readArea(searchParams)) ?? world;
  const name = toAreaName(area);
  return toPageMetadata({
    path: toMapPath(area),
    markdown: toMapPath(area, '.md'),
    title: area.kind === 'world' ? 'Map' : `Map: ${name}`,
    description: `Where events take place in ${name}: what is on now, what is coming up.`,
  });
}

/** Where events take place: a map, and the same as a list. */
export default async function MapPage({ searchParams }: MapPageProps) {
  const found = await readArea(searchParams);
  const area = found ?? world;
  const all = selectCities(await loadPageSnapshot(getServices()), area);
  const cities = all.slice(0, citiesMax);
  const positions = cities.flatMap(({ position }) => position ?? []);
  const drawing = await drawMap(area, positions);
  return (
    <>
      <header className="page-header">
        <h1>{area.kind === 'world' ? 'Events on the map' : `Events in ${toAreaName(area)}`}</h1>
        {found === null && (
          <p className="notice notice-wrong">We don’t know this area, so here is the world.</p>
        )}
        <AreaLinks area={area} />
      </header>
      <div className="map-and-list">
        <figure className="map-figure">
          <WorldMap drawing={drawing} cities={cities} name={toAreaName(area)} />
          <Legend />
        </figure>
        <CityList cities={cities} area={area} total={all.length} />
      </div>
      <PageFormats links={{ Markdown: toMapPath(area, '.md') }} />
    </>
  );
}

async function readArea(searchParams: MapPageProps['searchParams']): Promise<MapArea | null> {
  const { area = '' } = await searchParams;
  return typeof area === 'string' ? parseArea(area) : null;
}

function AreaLinks({ area }: Readonly<{ area: MapArea }>) {
  const areas: readonly MapArea[] = [
    world,
    ...continents.map((id) => ({ kind: 'continent', id }) as const),
    ...(area.kind === 'country' ? [area] : []),
  ];
  return (
    <nav className="map-nav" aria-label="Area">
      <ul className="map-areas">
        <li>
          <NearMe className="chip" />
        </li>
        {areas.map((choice) => (
          <li key={toMapPath(choice)}>
            <a
              className="chip"
              href={toMapPath(choice)}
              aria-current={toMapPath(choice) === toMapPath(area) ? 'true' : undefined}
            >
              {choice.kind === 'world' ? 'World' : toAreaName(choice)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const legend = { onNow: 'On now', comingUp: 'Coming up', past: 'Past' } as const;

function Legend() {
  return (
    <figcaption className="map-legend">
      {Object.entries(legend).map(([status, words]) => (
        <span key={status} data-status={status}>
          {words}
        </span>
      ))}
      <span className="quiet">Bigger dots have more events.</span>
    </figcaption>
  );
}

type CityListProps = Readonly<{
  cities: readonly CityMark[];
  area: MapArea;
  /** Of all cities, shown or not. */
  total: number;
}>;

type CountryCities = readonly [country: string | null, cities: readonly CityMark[]];

/** By country, unless the map is of one. */
function CityList({ cities, area, total }: CityListProps) {
  if (cities.length === 0) {
    return (
      <p className="map-cities">
        No events here yet. <a href="/map">See the world</a>.
      </p>
    );
  }
  const byCountry = [...Map.groupBy(cities, ({ group }) => group.country)].sort(byCountryName);
  return (
    <section className="map-cities" aria-label="Cities">
      {byCountry.map(([country, inCountry]) => (
        <div key={country}>
          <h2>
            {country === null ? (
              'Elsewhere'
            ) : (
              <CountryLink country={country} isHere={area.kind === 'country'} />
            )}
          </h2>
          <ul>
            {inCountry.map(({ group, counts, status }) => (
              <li key={group.slug} data-status={status}>
                <a href={toGroupPath(group)}>
                  <bdi>{group.name}</bdi>
                </a>
                <span className="quiet">{describeCityCounts(counts)}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {total > cities.length && (
        <p className="quiet">
          The {cities.length} cities with the most events, of {formatCount(total)}.
        </p>
      )}
    </section>
  );
}

/** Countries by name; cities without one are last. */
function byCountryName([a]: CountryCities, [b]: CountryCities): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return toCountryName(a).localeCompare(toCountryName(b), 'en');
}

function CountryLink({ country, isHere }: Readonly<{ country: string; isHere: boolean }>) {
  const area: MapArea = { kind: 'country', code: country };
  return isHere ? toAreaName(area) : <a href={toMapPath(area)}>{toAreaName(area)}</a>;
}
