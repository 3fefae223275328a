import { toPosition } from '#lib/events/model/position.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import type { NamedGroup } from '#lib/events/source/name-index.ts';
import { toMapLinks } from '#lib/events/view/city-marks.ts';
import { toGroupPath } from '#lib/events/view/named-groups.ts';
import { drawSurroundings } from '#lib/representations/map/draw-surroundings.ts';
import '../../../_components/map/map.css';

type PlaceSectionProps = Readonly<{
  event: MarqueeEvent;
  /** The city that it is in; null if there is none. */
  city: NamedGroup | null;
}>;

/** Where an event is on a small map, with links to the visitor’s own; nothing if its place is not known in parts. */
export function PlaceSection({ event, city }: PlaceSectionProps) {
  const links = toMapLinks(event);
  if (links.length === 0) return null;
  return (
    <section aria-labelledby="map">
      <h2 id="map">On the map</h2>
      <SmallMap event={event} />
      <ul className="map-links">
        {links.map(({ name, url }) => (
          <li key={name}>
            <a href={url} rel="noreferrer">
              {name}
            </a>
          </li>
        ))}
        {city !== null && (
          <li>
            <a href={toGroupPath(city)}>
              Events in <bdi>{city.name}</bdi>
            </a>
          </li>
        )}
      </ul>
    </section>
  );
}

async function SmallMap({ event }: Readonly<{ event: MarqueeEvent }>) {
  const position = toPosition(event);
  if (position === null) return null;
  const { width, height, land } = await drawSurroundings(position);
  return (
    <svg className="map small-map" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className="map-land" d={land} />
      <circle cx={width / 2} cy={height / 2} r="13" />
      <circle cx={width / 2} cy={height / 2} r="6" />
    </svg>
  );
}
