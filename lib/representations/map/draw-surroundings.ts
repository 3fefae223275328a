import { geoAzimuthalEquidistant, geoBounds, geoPath } from 'd3-geo';
import type { Geometry } from 'geojson';
import type { Position } from '#lib/events/model/position.ts';
import { loadDetails, type World } from './world.ts';

/** The land around a position, which is in the middle, as the `d` of an SVG path. */
type Surroundings = Readonly<{ width: number; height: number; land: string }>;

const width = 480;
const height = 270;
const widthKm = 700;
const earthRadiusKm = 6371;
/** From the middle to a corner, with some to spare. */
const reachDegrees = 5;

type Bounds = ReturnType<typeof geoBounds>;

const boundsOf = new WeakMap<Geometry, Bounds>();

export async function drawSurroundings(position: Position): Promise<Surroundings> {
  const { latitude, longitude } = position;
  const projection = geoAzimuthalEquidistant()
    .rotate([-longitude, -latitude])
    .scale((width * earthRadiusKm) / widthKm)
    .translate([width / 2, height / 2])
    .clipExtent([
      [-2, -2],
      [width + 2, height + 2],
    ]);
  const path = geoPath(projection).digits(1);
  const land = listNear(await loadDetails(), position).map((shape) => path(shape) ?? '');
  return { width, height, land: land.join('') };
}

/** Projecting all countries would take ten times as long. */
function listNear({ countries }: World, position: Position): Geometry[] {
  return countries.map(({ shape }) => shape).filter((shape) => isNear(toBounds(shape), position));
}

function toBounds(shape: Geometry): Bounds {
  const known = boundsOf.get(shape);
  if (known !== undefined) return known;
  const bounds = geoBounds(shape);
  boundsOf.set(shape, bounds);
  return bounds;
}

function isNear([[west, south], [east, north]]: Bounds, position: Position): boolean {
  const { latitude, longitude } = position;
  if (latitude < south - reachDegrees || latitude > north + reachDegrees) return false;
  // A degree of longitude shrinks towards the poles.
  const cosine = Math.cos((Math.min(85, Math.abs(latitude)) * Math.PI) / 180);
  const reach = reachDegrees / cosine;
  const span = west <= east ? east - west : east - west + 360;
  const eastOfWest = (((longitude - west + reach) % 360) + 360) % 360;
  return eastOfWest <= span + 2 * reach;
}
