import { type GeoContext, type GeoStreamWrapper, geoPath } from 'd3-geo';
import type { Geometry } from 'geojson';

/**
 * Shapes as the `d` of an SVG path: lines from point to point, in halves of a unit. A third of the bytes
 * of d3’s own, which are from the corner of the map to each point.
 */
export function toPathData(projection: GeoStreamWrapper) {
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
