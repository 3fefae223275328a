import { createRandom } from '../seeded-random.ts';

type Attributes = Readonly<Record<string, string | number>>;

/** An SVG element as text, with escaped attributes. */
export function draw(tag: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeValue(value)}"`)
    .join('');
  return `<${tag}${written}>${children.join('')}</${tag}>`;
}

/** A complete SVG document of this size. */
export function toSvg(width: number, height: number, ...children: readonly string[]): string {
  const xmlns = 'http://www.w3.org/2000/svg';
  return draw('svg', { xmlns, width, height, viewBox: `0 0 ${width} ${height}` }, ...children);
}

export function rect(x: number, y: number, width: number, height: number, rest: Attributes) {
  return draw('rect', { x, y, width, height, ...rest });
}

export function circle(cx: number, cy: number, r: number, rest: Attributes) {
  return draw('circle', { cx, cy, r, ...rest });
}

export function path(d: string, rest: Attributes) {
  return draw('path', { d, ...rest });
}

/** A gradient between the colours, top to bottom or from the centre outwards. */
export function gradient(
  id: string,
  colors: readonly string[],
  kind: 'linear' | 'radial' = 'linear',
): string {
  const stops = colors.map((color, index) => {
    const [stopColor = color, opacity = '1'] = color.split('/');
    const offset = index / (colors.length - 1);
    return draw('stop', { offset, 'stop-color': stopColor, 'stop-opacity': opacity });
  });
  return kind === 'radial'
    ? draw('radialGradient', { id }, ...stops)
    : draw('linearGradient', { id, x1: 0, y1: 0, x2: 0, y2: 1 }, ...stops);
}

/** The point at an angle (degrees, clockwise from the right) and distance, as `x,y`. */
export function at(cx: number, cy: number, degrees: number, distance: number): string {
  const radians = (degrees * Math.PI) / 180;
  return `${round(cx + Math.cos(radians) * distance)},${round(cy + Math.sin(radians) * distance)}`;
}

/** Joins the results of `make(0)` to `make(count - 1)`. */
export function repeat(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('');
}

/** Random numbers in ranges, and choices from lists, the same for the same seed. */
export function createDice(seed: number) {
  const random = createRandom(seed);
  return {
    between: (low: number, high: number) => low + random() * (high - low),
    pick: (items: readonly string[]) => items[Math.floor(random() * items.length)] ?? '',
    chance: (share: number) => random() < share,
  };
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeValue(value: string | number): string {
  return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
