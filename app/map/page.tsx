import type { Metadata } from 'next';
import {
  continents,
  findBusiestPositions,
  type MapArea,
  type MapView,
  parseMapView,
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
import { CityList } from './city-list.tsx';
import { WorldMap } from './world-map.tsx';
import '../_components/chip.css';
import './map.css';

type MapPageProps = Readonly<{
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}>;

/** More marks than these hide each other; maps of smaller areas have the rest. */
const citiesMax = 250;

export async function generateMetadata({ searchParams }: MapPageProps): Promise<Metadata> {
  const { view } = await readView(searchParams);
  const name = toAreaName(view.area);
  return toPageMetadata({
    path: toMapPath(view),
    markdown: toMapPath(view, '.md'),
    title: name === 'the world' ? 'Map' : `Map: ${name}`,
    description: `Where events take place in ${name}: what is on now, what is coming up.`,
  });
}

/** Where events take place: a map, and the same as a list. */
export default async function MapPage({ searchParams }: MapPageProps) {
  const { view, isUnknown } = await readView(searchParams);
  const { area, hasPast } = view;
  const snapshot = await loadPageSnapshot(getServices());
  const all = selectCities(snapshot, view);
  const cities = all.slice(0, citiesMax);
  const positions =
    area.kind === 'start'
      ? findBusiestPositions(cities)
      : cities.flatMap(({ position }) => position ?? []);
  const drawing = await drawMap(area, positions);
  const name = toAreaName(area);
  return (
    <>
      <header className="page-header">
        <h1>{name === 'the world' ? 'Events on the map' : `Events in ${name}`}</h1>
        {isUnknown && (
          <p className="notice notice-wrong">We don’t know this area, so here is the world.</p>
        )}
        <AreaLinks view={view} />
      </header>
      <div className="map-and-list">
        <figure className="map-figure" id="map">
          <WorldMap drawing={drawing} cities={cities} name={name} />
          <Legend hasPast={hasPast} />
        </figure>
        <CityList cities={cities} view={view} total={all.length} today={snapshot.day} />
      </div>
      <PageFormats links={{ Markdown: toMapPath(view, '.md') }} />
    </>
  );
}

async function readView(searchParams: MapPageProps['searchParams']) {
  const params = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  const { area, hasPast } = parseMapView(new URLSearchParams(params));
  const view: MapView = { area: area ?? { kind: 'start' }, hasPast };
  return { view, isUnknown: area === null };
}

function AreaLinks({ view }: Readonly<{ view: MapView }>) {
  const { area, hasPast } = view;
  const areas: readonly MapArea[] = [
    { kind: 'world' },
    ...continents.map((id) => ({ kind: 'continent', id }) as const),
    ...(area.kind === 'country' ? [area] : []),
  ];
  const toPath = (choice: MapArea) => toMapPath({ area: choice, hasPast });
  return (
    <nav className="map-nav" aria-label="Area">
      <ul className="map-areas">
        <li>
          <NearMe className="chip" />
        </li>
        {areas.map((choice) => (
          <li key={toPath(choice)}>
            <a
              className="chip"
              href={toPath(choice)}
              aria-current={toPath(choice) === toPath(area) ? 'true' : undefined}
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

function Legend({ hasPast }: Readonly<{ hasPast: boolean }>) {
  const shown = Object.entries(legend).filter(([status]) => hasPast || status !== 'past');
  return (
    <figcaption className="map-legend">
      {shown.map(([status, words]) => (
        <span key={status} data-status={status}>
          {words}
        </span>
      ))}
      <span className="quiet">Bigger dots have more events.</span>
    </figcaption>
  );
}
