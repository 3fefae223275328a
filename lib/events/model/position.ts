import type { MarqueeEvent } from './schema.ts';

/** A point on the Earth, in degrees (WGS 84). */
export type Position = Readonly<{ latitude: number; longitude: number }>;

/** Where an event is; null without coordinates. */
export function toPosition({ place }: Pick<MarqueeEvent, 'place'>): Position | null {
  const { latitude = null, longitude = null } = place ?? {};
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

const pattern = /^\s*([-+]?\d{1,2}(?:\.\d{1,12})?)\s*,\s*([-+]?\d{1,3}(?:\.\d{1,12})?)\s*$/;

/** Reads `51.05,3.72`; null if that is no point. */
export function parsePosition(text: string): Position | null {
  const [, latitude = '', longitude = ''] = pattern.exec(text) ?? [];
  if (latitude === '') return null;
  const position = { latitude: Number(latitude), longitude: Number(longitude) };
  const isOnEarth = Math.abs(position.latitude) <= 90 && Math.abs(position.longitude) <= 180;
  return isOnEarth ? position : null;
}

/**
 * A position to a tenth of a degree, about 10 km, as pages have it: nobody can be found by it, and visitors of one
 * town share a page. Other text stays as it is.
 */
export function roundPosition(text: string): string {
  const position = parsePosition(text);
  if (position === null) return text;
  return `${roundDegrees(position.latitude)},${roundDegrees(position.longitude)}`;
}

function roundDegrees(degrees: number): number {
  // Without the sign of `-0`.
  return Math.round(degrees * 10) / 10 + 0;
}

/** Mean radius (IUGG). */
const earthRadiusKm = 6371.0088;

/** The distance of two positions along a great circle, by the haversine formula. */
export function toDistanceKm(a: Position, b: Position): number {
  const [latitude, otherLatitude] = [toRadians(a.latitude), toRadians(b.latitude)];
  const apart =
    haversine(otherLatitude - latitude) +
    Math.cos(latitude) *
      Math.cos(otherLatitude) *
      haversine(toRadians(b.longitude) - toRadians(a.longitude));
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(apart)));
}

function haversine(angle: number): number {
  return Math.sin(angle / 2) ** 2;
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/** `51.1° N, 3.7° E`. */
export function toPositionInWords({ latitude, longitude }: Position): string {
  const [north, east] = [latitude < 0 ? 'S' : 'N', longitude < 0 ? 'W' : 'E'];
  return `${toDegreesInWords(latitude)}° ${north}, ${toDegreesInWords(longitude)}° ${east}`;
}

function toDegreesInWords(degrees: number): number {
  return Number(Math.abs(degrees).toFixed(4));
}
