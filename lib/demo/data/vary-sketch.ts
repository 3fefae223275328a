import type { DaySpan, Sketch } from './sample-sketch.ts';
import { createRandom } from '../seeded-random.ts';

const cities = [
  'Aarhus',
  'Bogotá',
  'Chișinău',
  'Dakar',
  'Esch',
  'Fukuoka',
  'Granada',
  'Hội An',
  'İzmir',
  'Jaipur',
  'Kisumu',
  'Łódź',
  'Montréal',
  'Nuuk',
  'Oaxaca',
  'Plovdiv',
  'Quito',
  'Reykjavík',
  'São Luís',
  'Tromsø',
] as const;

const fiveYears = 5 * 365;

/** The same kind of event in another place and year; the same for the same `index`. */
export function varySketch(sketch: Sketch, index: number): Sketch {
  const random = createRandom(index);
  const city = cities[Math.floor(random() * cities.length)] ?? 'Aarhus';
  const shift = Math.round((random() * 2 - 1) * fiveYears) - sketch.days[0];
  const days = shiftDays(sketch.days, shift);
  const { pinned: _, meet, ...rest } = sketch;
  return {
    ...rest,
    name: `${sketch.name}, ${city} ${index}`,
    days,
    // Announced some weeks before its start, but never in the future.
    announced: Math.max(1, -days[0] + 7 + Math.floor(random() * 90)),
    ...(meet && { meet: { at: city, ...(meet.days && { days: shiftPair(meet.days, shift) }) } }),
  };
}

function shiftDays([first, last]: DaySpan, shift: number): DaySpan {
  return [first + shift, last === null ? null : last + shift];
}

function shiftPair([first, last]: readonly [number, number], shift: number) {
  return [first + shift, last + shift] as const;
}
