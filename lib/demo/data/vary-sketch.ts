import { createRandom } from '../seeded-random.ts';
import type { DaySpan, Sketch } from './sample-sketch.ts';

const cities = [
  { city: 'Aarhus', country: 'DK', latitude: 56.16, longitude: 10.2, zone: 'Europe/Copenhagen' },
  { city: 'Bogotá', country: 'CO', latitude: 4.71, longitude: -74.07, zone: 'America/Bogota' },
  { city: 'Chișinău', country: 'MD', latitude: 47.01, longitude: 28.86, zone: 'Europe/Chisinau' },
  { city: 'Dakar', country: 'SN', latitude: 14.69, longitude: -17.45, zone: 'Africa/Dakar' },
  { city: 'Esch', country: 'LU', latitude: 49.5, longitude: 5.98, zone: 'Europe/Luxembourg' },
  { city: 'Fukuoka', country: 'JP', latitude: 33.59, longitude: 130.4, zone: 'Asia/Tokyo' },
  { city: 'Granada', country: 'ES', latitude: 37.18, longitude: -3.6, zone: 'Europe/Madrid' },
  { city: 'Hội An', country: 'VN', latitude: 15.88, longitude: 108.33, zone: 'Asia/Ho_Chi_Minh' },
  { city: 'İzmir', country: 'TR', latitude: 38.42, longitude: 27.14, zone: 'Europe/Istanbul' },
  { city: 'Jaipur', country: 'IN', latitude: 26.91, longitude: 75.79, zone: 'Asia/Kolkata' },
  { city: 'Kisumu', country: 'KE', latitude: -0.09, longitude: 34.77, zone: 'Africa/Nairobi' },
  { city: 'Łódź', country: 'PL', latitude: 51.76, longitude: 19.46, zone: 'Europe/Warsaw' },
  {
    city: 'Montréal',
    region: 'QC',
    country: 'CA',
    latitude: 45.5,
    longitude: -73.57,
    zone: 'America/Toronto',
  },
  { city: 'Nuuk', country: 'GL', latitude: 64.18, longitude: -51.72, zone: 'America/Nuuk' },
  {
    city: 'Oaxaca',
    country: 'MX',
    latitude: 17.07,
    longitude: -96.73,
    zone: 'America/Mexico_City',
  },
  { city: 'Plovdiv', country: 'BG', latitude: 42.14, longitude: 24.75, zone: 'Europe/Sofia' },
  { city: 'Quito', country: 'EC', latitude: -0.18, longitude: -78.47, zone: 'America/Guayaquil' },
  {
    city: 'Reykjavík',
    country: 'IS',
    latitude: 64.15,
    longitude: -21.94,
    zone: 'Atlantic/Reykjavik',
  },
  { city: 'São Luís', country: 'BR', latitude: -2.53, longitude: -44.3, zone: 'America/Fortaleza' },
  { city: 'Tromsø', country: 'NO', latitude: 69.65, longitude: 18.96, zone: 'Europe/Oslo' },
] as const;

const fiveYears = 5 * 365;

/** The same kind of event in another place and year; the same for the same `index`. */
export function varySketch(sketch: Sketch, index: number): Sketch {
  const random = createRandom(index);
  const { zone, ...spot } = cities[Math.floor(random() * cities.length)] ?? cities[0];
  const shift = Math.round((random() * 2 - 1) * fiveYears) - sketch.days[0];
  const days = shiftDays(sketch.days, shift);
  const { pinned: _, meet, ...rest } = sketch;
  const { city } = spot;
  return {
    ...rest,
    name: `${sketch.name}, ${city} ${index}`,
    days,
    // Announced some weeks before its start, but never in the future.
    announced: Math.max(1, -days[0] + 7 + Math.floor(random() * 90)),
    ...(meet && { meet: { at: city, ...(meet.days && { days: shiftPair(meet.days, shift) }) } }),
    ...(meet && { spot, zone }),
  };
}

function shiftDays([first, last]: DaySpan, shift: number): DaySpan {
  return [first + shift, last === null ? null : last + shift];
}

function shiftPair([first, last]: readonly [number, number], shift: number) {
  return [first + shift, last + shift] as const;
}
