import { type CityMark, describeCityCounts } from '#lib/events/view/city-marks.ts';
import '../_components/map/map.css';
import { toGroupName } from '#lib/events/view/named-groups.ts';
import type { MapDrawing } from '#lib/representations/map/draw-map.ts';
import { toCityId } from './city-list.tsx';

type WorldMapProps = Readonly<{
  drawing: MapDrawing;
  /** Those with the most events first, so that small marks lie above large ones. */
  cities: readonly CityMark[];
  /** Of the area. */
  name: string;
}>;

/** A map with a mark for each city, which opens its events. */
export function WorldMap({ drawing, cities, name }: WorldMapProps) {
  const { width, height, land, borders, country } = drawing;
  return (
    <svg className="map" viewBox={`0 0 ${width} ${height}`}>
      <title>{`Map of ${name}`}</title>
      <path className="map-land" d={land} />
      {country !== null && <path className="map-country" d={country} />}
      <path className="map-borders" d={borders} />
      {inLayers(cities).map((city) => (
        <Mark key={city.group.slug} city={city} drawing={drawing} />
      ))}
    </svg>
  );
}

/** What is on lies above what is coming, and that above what is past. */
const layers = ['past', 'comingUp', 'onNow'] as const;

function inLayers(cities: readonly CityMark[]): CityMark[] {
  return layers.flatMap((layer) => cities.filter(({ status }) => status === layer));
}

/** The diameters of marks, in CSS pixels on any screen. */
const sizeMin = 9;
const sizeMax = 30;

function Mark({ city, drawing }: Readonly<{ city: CityMark; drawing: MapDrawing }>) {
  const { group, position, counts, ahead, total, status } = city;
  const place = position === null ? null : drawing.place(position);
  if (place === null) return null;
  const words = `${toGroupName(group)}: ${describeCityCounts(counts)}`;
  const size = Math.min(sizeMax, Math.round(sizeMin + 3 * Math.sqrt((ahead.length || total) - 1)));
  // A line of no length with round ends is a circle whose size does not change with the map’s.
  const dot = `M${place.join(' ')}h.01`;
  return (
    <a className="map-mark" data-status={status} href={`#${toCityId(city)}`}>
      <title>{words}</title>
      <path className="map-touch" d={dot} />
      <path className="map-edge" d={dot} strokeWidth={size + 4} />
      <path className="map-dot" d={dot} strokeWidth={size} />
    </a>
  );
}
