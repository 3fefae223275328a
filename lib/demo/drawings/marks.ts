import { at, circle, draw, path, rect, repeat, toSvg } from './svg.ts';

const size = 400;
const ink = '#17151f';
const cream = '#f7f0e1';
const heavy = { fill: 'none', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' } as const;

/** Logos that replace an event's name, by file name; transparent background. */
export const marks: Readonly<Record<string, () => string>> = {
  'paper-boat': () =>
    toMark(
      path('M200 60 L200 240 L70 240Z', { fill: '#ffffff' }),
      path('M200 60 L200 240 L330 240Z', { fill: '#dbe6ee' }),
      path('M20 225 L120 240 L280 240 L380 225 L310 335 L90 335Z', { fill: '#ffffff' }),
      path('M200 240 L280 240 L380 225 L310 335 L200 335Z', { fill: '#c7d6e2' }),
      path('M30 372 Q72 348 115 372 T200 372 T285 372 T370 372', {
        ...heavy,
        stroke: '#ffffff',
        'stroke-width': 14,
      }),
    ),
  'robot-face': () =>
    toMark(
      path('M200 90 L200 40', { ...heavy, stroke: ink, 'stroke-width': 16 }),
      circle(200, 36, 22, { fill: '#f0563a' }),
      rect(20, 180, 44, 100, { rx: 14, fill: ink }),
      rect(336, 180, 44, 100, { rx: 14, fill: ink }),
      rect(52, 88, 296, 276, { rx: 52, fill: ink }),
      rect(84, 120, 232, 212, { rx: 28, fill: '#f8c33c' }),
      circle(146, 204, 36, { fill: ink }),
      circle(254, 204, 36, { fill: ink }),
      circle(156, 194, 12, { fill: cream }),
      circle(264, 194, 12, { fill: cream }),
      rect(130, 264, 140, 34, { rx: 10, fill: ink }),
      repeat(3, (index) => rect(158 + index * 36, 264, 8, 34, { fill: '#f8c33c' })),
    ),
  'crescent-pad': () =>
    toMark(
      path('M250 30 A170 170 0 1 0 372 262 A140 140 0 0 1 250 30Z', { fill: '#ffd166' }),
      rect(96, 150, 34, 102, { rx: 8, fill: '#2a1b52' }),
      rect(62, 184, 102, 34, { rx: 8, fill: '#2a1b52' }),
      circle(200, 296, 22, { fill: '#e0457b' }),
      circle(258, 316, 22, { fill: '#2a1b52' }),
      path('M318 62 L330 96 L364 108 L330 120 L318 154 L306 120 L272 108 L306 96Z', {
        fill: '#ff9ecf',
      }),
    ),
  'key-cap': () =>
    toMark(
      rect(40, 60, 320, 300, { rx: 56, fill: '#a9c93a' }),
      rect(40, 40, 320, 292, { rx: 56, fill: '#d8f35a' }),
      rect(86, 66, 228, 206, { rx: 38, fill: '#f4ffcb' }),
      path('M200 232 L200 160', { ...heavy, stroke: '#0d3b34', 'stroke-width': 16 }),
      path('M200 172 C140 176 128 130 130 104 C178 102 202 128 200 172Z', { fill: '#0d3b34' }),
      path('M200 196 C246 200 268 172 268 136 C226 136 200 156 200 196Z', { fill: '#2f7d63' }),
    ),
  'solder-bolt': () =>
    toMark(
      circle(200, 200, 184, { fill: ink }),
      path('M232 44 L92 226 L182 226 L156 356 L308 160 L212 160Z', { fill: '#fff3d9' }),
      path('M232 44 L212 160 L308 160 L156 356 L198 206 L150 206Z', { fill: '#f0563a' }),
    ),
  'sine-coil': () =>
    toMark(
      ...[
        [130, '#f5912b'],
        [200, '#f7f0e1'],
        [270, '#f0563a'],
      ].map(([y, stroke]) =>
        path(
          `M30 ${y} C72 ${Number(y) - 112} 102 ${Number(y) - 112} 143 ${y} S214 ${Number(y) + 112} 257 ${y} S328 ${Number(y) - 112} 370 ${y}`,
          {
            ...heavy,
            stroke: String(stroke),
            'stroke-width': 30,
          },
        ),
      ),
    ),
  'compass-rose': () =>
    toMark(
      circle(200, 200, 186, { fill: '#2b2416' }),
      circle(200, 200, 164, { fill: '#f7edd3' }),
      repeat(24, (index) =>
        path(`M${at(200, 200, index * 15, 150)} L${at(200, 200, index * 15, 136)}`, {
          stroke: '#2b2416',
          'stroke-width': 5,
        }),
      ),
      draw(
        'g',
        { transform: 'rotate(45 200 200) translate(200 200) scale(.62) translate(-200 -200)' },
        star('#b98a4a', '#8d6530'),
      ),
      star('#c2412f', '#7a1f12'),
      circle(200, 200, 18, { fill: '#f7edd3' }),
    ),
  seedling: () =>
    toMark(
      path('M200 380 L200 226', { ...heavy, stroke: '#2f8f57', 'stroke-width': 26 }),
      path('M200 216 C70 226 34 130 40 60 C156 56 210 112 200 216Z', { fill: '#3fae6c' }),
      path('M200 270 C308 278 360 206 358 136 C262 134 196 176 200 270Z', { fill: '#8bcf5f' }),
      path('M200 216 C160 160 120 122 84 98', { ...heavy, stroke: '#2f8f57', 'stroke-width': 9 }),
      path('M200 270 C240 226 276 196 318 172', { ...heavy, stroke: '#5fa83c', 'stroke-width': 9 }),
    ),
  'iso-cube': () =>
    toMark(
      path('M200 22 L362 112 L200 202 L38 112Z', { fill: '#ffffff' }),
      path('M38 112 L200 202 L200 382 L38 292Z', { fill: '#f8c33c' }),
      path('M362 112 L200 202 L200 382 L362 292Z', { fill: '#f0563a' }),
      path('M200 72 L272 112 L200 152 L128 112Z', { fill: '#10173d' }),
      path('M84 196 L154 236 L154 308 L84 268Z', { fill: '#10173d' }),
      circle(281, 248, 44, {
        fill: '#10173d',
        transform: 'translate(281 248) skewY(-29) scale(.9 1) translate(-281 -248)',
      }),
    ),
  'angle-knot': () =>
    toMark(
      rect(22, 22, 356, 356, { rx: 96, fill: '#fdf6e6' }),
      path('M150 112 L70 200 L150 288', { ...heavy, stroke: ink, 'stroke-width': 38 }),
      path('M250 112 L330 200 L250 288', { ...heavy, stroke: ink, 'stroke-width': 38 }),
      path('M226 96 L174 304', { ...heavy, stroke: '#fdf6e6', 'stroke-width': 62 }),
      path('M226 96 L174 304', { ...heavy, stroke: '#f0563a', 'stroke-width': 38 }),
    ),
  'gear-bloom': () =>
    toMark(
      repeat(10, (index) =>
        rect(172, 8, 56, 110, { rx: 18, fill: ink, transform: `rotate(${index * 36} 200 200)` }),
      ),
      circle(200, 200, 148, { fill: ink }),
      repeat(8, (index) =>
        draw('ellipse', {
          cx: 200,
          cy: 138,
          rx: 30,
          ry: 58,
          fill: index % 2 ? '#f8c33c' : '#f7f0e1',
          transform: `rotate(${index * 45} 200 200)`,
        }),
      ),
      circle(200, 200, 40, { fill: '#f0563a' }),
    ),
  'train-front': () =>
    toMark(
      path('M122 352 L76 384 M278 352 L324 384', {
        ...heavy,
        stroke: '#f7f0e1',
        'stroke-width': 18,
      }),
      rect(70, 12, 260, 336, { rx: 84, fill: '#f7f0e1' }),
      path('M70 224 L330 224 L330 264 A84 84 0 0 1 246 348 L154 348 A84 84 0 0 1 70 264Z', {
        fill: '#c2412f',
      }),
      rect(104, 82, 86, 112, { rx: 22, fill: '#12235a' }),
      rect(210, 82, 86, 112, { rx: 22, fill: '#12235a' }),
      rect(150, 40, 100, 22, { rx: 11, fill: '#12235a' }),
      circle(132, 282, 25, { fill: '#ffd98a' }),
      circle(268, 282, 25, { fill: '#ffd98a' }),
    ),
  'flame-lantern': () =>
    toMark(
      path('M150 64 A52 52 0 0 1 250 64', { ...heavy, stroke: '#ffcf6b', 'stroke-width': 16 }),
      rect(124, 66, 152, 30, { rx: 12, fill: '#ffcf6b' }),
      rect(84, 102, 232, 218, { rx: 76, fill: '#f7792f' }),
      path('M160 102 C118 150 118 272 160 320 L240 320 C282 272 282 150 240 102Z', {
        fill: '#ffb13d',
      }),
      path('M200 144 C250 200 252 226 244 252 A46 46 0 0 1 156 252 C150 222 176 212 200 144Z', {
        fill: '#fff3cf',
      }),
      rect(124, 326, 152, 30, { rx: 12, fill: '#ffcf6b' }),
      path('M200 360 L200 388', { ...heavy, stroke: '#ffcf6b', 'stroke-width': 14 }),
    ),
  'sun-tile': () =>
    toMark(
      rect(30, 30, 340, 340, { rx: 26, fill: '#fff1d6' }),
      repeat(4, (index) =>
        path('M30 130 L30 56 A26 26 0 0 1 56 30 L130 30 A100 100 0 0 1 30 130Z', {
          fill: '#0c5f62',
          transform: `rotate(${index * 90} 200 200)`,
        }),
      ),
      repeat(16, (index) =>
        path(
          `M${at(200, 200, index * 22.5 - 7, 92)} L${at(200, 200, index * 22.5, index % 2 ? 128 : 152)} L${at(200, 200, index * 22.5 + 7, 92)}Z`,
          { fill: index % 2 ? '#f5912b' : '#862c1e' },
        ),
      ),
      circle(200, 200, 84, { fill: '#862c1e' }),
      circle(200, 200, 60, { fill: '#f8c33c' }),
    ),
  'folded-zine': () =>
    toMark(
      path('M200 92 L360 46 L360 308 L200 358Z', {
        fill: '#ffffff',
        stroke: ink,
        'stroke-width': 12,
        'stroke-linejoin': 'round',
      }),
      path('M200 92 L40 46 L40 308 L200 358Z', {
        fill: '#f0563a',
        stroke: ink,
        'stroke-width': 12,
        'stroke-linejoin': 'round',
      }),
      circle(120, 176, 44, { fill: '#f8c33c', stroke: ink, 'stroke-width': 12 }),
      path('M72 268 L168 296', { ...heavy, stroke: ink, 'stroke-width': 14 }),
      ...[140, 190, 240, 290].map((y) =>
        path(`M236 ${y + 6} L${y === 290 ? 290 : 326} ${y - (y === 290 ? 10 : 22)}`, {
          ...heavy,
          stroke: ink,
          'stroke-width': 14,
        }),
      ),
    ),
  'ring-planet': () =>
    toMark(
      draw(
        'g',
        { transform: 'rotate(-20 200 200)' },
        draw('ellipse', {
          cx: 200,
          cy: 200,
          rx: 184,
          ry: 56,
          fill: 'none',
          stroke: '#8d6bd8',
          'stroke-width': 24,
        }),
      ),
      circle(200, 200, 124, { fill: '#f26a6a' }),
      path('M80 168 A124 124 0 0 1 304 132 Q190 150 80 168Z', { fill: '#ffb199' }),
      path('M92 262 A124 124 0 0 0 322 218 Q200 264 92 262Z', { fill: '#b93a63' }),
      draw(
        'g',
        { transform: 'rotate(-20 200 200)' },
        path('M16 200 A184 56 0 0 0 384 200', {
          fill: 'none',
          stroke: '#8d6bd8',
          'stroke-width': 24,
        }),
      ),
      circle(330, 70, 18, { fill: '#f8c33c' }),
    ),
  'radio-pine': () =>
    toMark(
      draw(
        'g',
        { transform: 'translate(24 42) scale(.88)' },
        rect(184, 320, 32, 66, { fill: '#e0a46a' }),
        path('M200 214 L316 334 L84 334Z', { fill: '#bfe6cf' }),
        path('M200 148 L294 254 L106 254Z', { fill: '#e9fbe4' }),
        path('M200 92 L264 176 L136 176Z', { fill: '#ffffff' }),
        ...[58, 104].map((r) =>
          path(
            `M${at(200, 84, -58, r)} A${r} ${r} 0 0 1 ${at(200, 84, 8, r)} M${at(200, 84, 238, r)} A${r} ${r} 0 0 0 ${at(200, 84, 172, r)}`,
            { ...heavy, stroke: '#f0563a', 'stroke-width': 18 },
          ),
        ),
        circle(200, 84, 20, { fill: '#f0563a' }),
      ),
    ),
};

function toMark(...shapes: readonly string[]): string {
  return toSvg(size, size, ...shapes);
}

function star(light: string, dark: string): string {
  return repeat(4, (index) =>
    draw(
      'g',
      { transform: `rotate(${index * 90} 200 200)` },
      path('M200 200 L200 44 L168 168Z', { fill: light }),
      path('M200 200 L200 44 L232 168Z', { fill: dark }),
    ),
  );
}
