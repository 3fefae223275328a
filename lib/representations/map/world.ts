import type { Geometry, MultiLineString } from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { parseCountry } from '#lib/events/words/parse-country.ts';

export type Atlas = Topology<{
  countries: GeometryCollection<{ name: string }>;
  land: GeometryCollection;
}>;

/** The shapes of Natural Earth (public domain). */
export type World = Readonly<{
  land: Geometry;
  /** Those between countries. */
  borders: MultiLineString;
  countries: readonly Country[];
}>;

/** A country by its code in ISO 3166-1; null for disputed areas. */
type Country = Readonly<{ code: string | null; shape: Geometry }>;

let overview: Promise<World> | undefined;
let details: Promise<World> | undefined;

/** For the whole world. */
export function loadOverview(): Promise<World> {
  overview ??= import('world-atlas/countries-110m.json', { with: { type: 'json' } }).then(toWorld);
  return overview;
}

/** For continents and countries. */
export function loadDetails(): Promise<World> {
  details ??= import('world-atlas/countries-50m.json', { with: { type: 'json' } }).then(toWorld);
  return details;
}

function toWorld({ default: atlas }: Readonly<{ default: Atlas }>): World {
  const { countries, land } = atlas.objects;
  return {
    land: toGeometry(atlas, land),
    borders: mesh(atlas, countries, (a, b) => a !== b),
    countries: feature(atlas, countries).features.map(({ id, properties, geometry }) => ({
      code: toCode(id) ?? parseCountry(properties.name),
      shape: geometry,
    })),
  };
}

function toGeometry(atlas: Atlas, land: GeometryCollection): Geometry {
  const { features } = feature(atlas, land);
  return { type: 'GeometryCollection', geometries: features.map(({ geometry }) => geometry) };
}

/** Codes are three digits there; Unicode knows the letters for them. */
function toCode(id: string | number | undefined): string | null {
  if (id === undefined || !/^\d{3}$/.test(String(id))) return null;
  return new Intl.Locale(`und-${id}`).region ?? null;
}
