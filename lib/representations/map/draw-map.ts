import {
  type GeoContext,
  type GeoProjection,
  type GeoStream,
  type GeoStreamWrapper,
  geoArea,
  geoAzimuthalEqualArea,
  geoCentroid,
  geoEqualEarth,
  geoPath,
} from 'd3-geo';
import type { Geometry, MultiPoint, Position as Point, Polygon } from 'geojson';
import type { Position } from '#lib/events/model/position.ts';
import { boxOf, type Continent, type MapArea } from './areas.ts';
import { loadDetails, loadOverview, type World } from './world.ts';

/** A map as the `d` of SVG paths, in a frame of `width` × `height`. */
export type MapDrawing = Readonly<{
  width: number;
  height: number;
  land: string;
  borders: string;
  /** The country that the map is of; null for the others. */
  country: string | null;
  /** Where a position is in the frame; null outside of it. */
  place: (position: Position) => readonly [x: number, y: number] | null;
}>;

const width = 960;
const worldHeight = 425;
const areaHeight = 640;
const padding = 24;

/** @param positions of what has to be in sight at the start and on the map of a country. */
export async function drawMap(area: MapArea, positions: readonly Position[]): Promise<MapDrawing> {
  if (area.kind === 'world') return draw(await loadOverview(), projectWorld(), worldHeight);
  if (area.kind === 'start' && positions.length === 0) return drawMap({ kind: 'world' }, []);
  const world = await loadDetails();
  if (area.kind === 'start') {
    return draw(world, projectPoints(positions.map(toPoint), startReachMin), areaHeight);
  }
  if (area.kind === 'continent') return draw(world, projectContinent(area.id), areaHeight);
  const shape = world.countries.find(({ code }) => code === area.code)?.shape;
  const points = [...(shape === undefined ? [] : toMainPoints(shape)), ...positions.map(toPoint)];
  if (points.length === 0) return draw(await loadOverview(), projectWorld(), worldHeight);
  return draw(world, projectPoints(points, reachMin), areaHeight, shape);
}

function draw(
  { land, borders }: World,
  projection: GeoProjection,
  height: number,
  country?: Geometry,
): MapDrawing {
  const frame = [
    [0, 0],
    [width, height],
  ] as [[number, number], [number, number]];
  const clipped = projection.clipExtent(frame).precision(stepMin);
  const path = toPathData({ stream: (sink) => clipped.stream(thinOut(sink)) });
  return {
    width,
    height,
    land: path(land),
    borders: path(borders),
    country: country === undefined ? null : path(country),
    place(position) {
      const [x, y] = projection(toPoint(position)) ?? [-1, -1];
      const isInside = x >= 0 && x <= width && y >= 0 && y <= height;
      return isInside ? [Math.round(x * 10) / 10, Math.round(y * 10) / 10] : null;
    },
  };
}

/** Points closer together are left out: they cannot be seen. */
const stepMin = 2;

function thinOut(sink: GeoStream): GeoStream {
  let [lastX, lastY] = [Number.NaN, Number.NaN];
  return {
    point(x, y) {
      if (Math.abs(x - lastX) + Math.abs(y - lastY) < stepMin) return;
      [lastX, lastY] = [x, y];
      sink.point(x, y);
    },
    lineStart() {
      [lastX, lastY] = [Number.NaN, Number.NaN];
      sink.lineStart();
    },
    lineEnd: () => sink.lineEnd(),
    polygonStart: () => sink.polygonStart(),
    polygonEnd: () => sink.polygonEnd(),
  };
}

// Turned, so that the antimeridian cuts no land; without Antarctica.
function projectWorld(): GeoProjection {
  const [south, north] = [-56, 78];
  const outline = [-168.9, -90, 11, 90, 190.9].flatMap((longitude) => [
    [longitude, south],
    [longitude, 0],
    [longitude, north],
  ]);
  return fitPoints(geoEqualEarth().rotate([-11, 0]), outline, worldHeight, 0);
}

function projectContinent(continent: Continent): GeoProjection {
  const [south, west, north, eastOrLess] = boxOf(continent);
  const east = eastOrLess < west ? eastOrLess + 360 : eastOrLess;
  const center: [number, number] = [(west + east) / 2, (south + north) / 2];
  const outline = [west, center[0], east].flatMap((longitude) =>
    [south, center[1], north].map((latitude): Point => [longitude, latitude]),
  );
  return fitPoints(
    geoAzimuthalEqualArea().rotate([-center[0], -center[1]]),
    outline,
    areaHeight,
    0,
  );
}

/** Half the least height of a country’s map, in degrees: the shapes have no more to show of a small one. */
const reachMin = 0.8;
/** The same of the map of where most events are: the borders around a single city say where it is. */
const startReachMin = 5;

function projectPoints(points: readonly Point[], reach: number): GeoProjection {
  const [longitude, latitude] = geoCentroid({ type: 'MultiPoint', coordinates: [...points] });
  const around = [latitude - reach, latitude + reach].map(
    (parallel): Point => [longitude, parallel],
  );
  const projection = geoAzimuthalEqualArea().rotate([-longitude, -latitude]);
  return fitPoints(projection, [...points, ...around], areaHeight, padding);
}

// Points, since polygons that wind the other way round would be the rest of the world.
function fitPoints(
  projection: GeoProjection,
  points: readonly Point[],
  height: number,
  edge: number,
): GeoProjection {
  const outline: MultiPoint = { type: 'MultiPoint', coordinates: [...points] };
  return projection.fitExtent(
    [
      [edge, edge],
      [width - edge, height - edge],
    ],
    outline,
  );
}

/** The outline of a country’s largest part: those overseas would make it small. */
function toMainPoints(shape: Geometry): Point[] {
  if (shape.type === 'Polygon') return shape.coordinates.flat();
  if (shape.type !== 'MultiPolygon') return [];
  const polygons = shape.coordinates.map(
    (coordinates): Polygon => ({ type: 'Polygon', coordinates }),
  );
  const [largest] = polygons.toSorted((a, b) => geoArea(b) - geoArea(a));
  return largest?.coordinates.flat() ?? [];
}

function toPoint({ latitude, longitude }: Position): [number, number] {
  return [longitude, latitude];
}

/**
 * Shapes as the `d` of an SVG path: lines from point to point, in halves of a unit. A third of the bytes
 * of d3’s own, which are from the corner of the map to each point.
 */
function toPathData(projection: GeoStreamWrapper) {
  return (shape: Geometry): string => {
    const lines = new RelativeLines();
    geoPath(projection, lines)(shape);
    return lines.toString();
  };
}

const stepsPerUnit = 2;

/** What d3 draws on, as on a canvas. */
class RelativeLines implements GeoContext {
  private readonly commands: string[] = [];
  private x = 0;
  private y = 0;

  moveTo(x: number, y: number): void {
    [this.x, this.y] = [toSteps(x), toSteps(y)];
    this.commands.push(`M${toUnits(this.x)},${toUnits(this.y)}`);
  }

  lineTo(x: number, y: number): void {
    const [nextX, nextY] = [toSteps(x), toSteps(y)];
    if (nextX === this.x && nextY === this.y) return;
    this.commands.push(`l${toUnits(nextX - this.x)},${toUnits(nextY - this.y)}`);
    [this.x, this.y] = [nextX, nextY];
  }

  closePath(): void {
    this.commands.push('z');
  }

  beginPath(): void {}

  arc(): void {}

  toString(): string {
    return this.commands.join('');
  }
}

function toSteps(units: number): number {
  return Math.round(units * stepsPerUnit);
}

function toUnits(steps: number): number {
  return steps / stepsPerUnit;
}
