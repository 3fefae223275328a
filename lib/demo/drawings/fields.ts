import { circle, createDice, draw, gradient, path, rect, repeat, round, toSvg } from './svg.ts';

const [width, height] = [1200, 900];
const whole = { x: 0, y: 0, width, height };

/** Hills drawn line by line by a pen plotter, each hiding what is behind it. */
export function drawPlotterField(): string {
  const dice = createDice(77);
  const peaks = Array.from({ length: 7 }, () => ({
    x: dice.between(150, 1050),
    row: dice.between(3, 17),
    tall: dice.between(60, 190),
    wide: dice.between(60, 150),
  }));
  const lines = repeat(19, (row) => {
    const base = 180 + row * 40;
    let d = `M-10 ${base}`;
    for (let x = 0; x <= width; x += 12) {
      const lift = peaks.reduce(
        (sum, { x: peak, row: crest, tall, wide }) =>
          sum + tall * Math.exp(-(((x - peak) / wide) ** 2) - ((row - crest) / 3) ** 2),
        9 * Math.sin(x / 60 + row),
      );
      d += ` L${x} ${round(base - lift)}`;
    }
    return path(`${d} L1210 ${base} L1210 930 L-10 930Z`, {
      fill: '#f4f1ea',
      stroke: row % 5 === 3 ? '#d8432f' : '#14213d',
      'stroke-width': 6,
      'stroke-linejoin': 'round',
    });
  });
  return toSvg(width, height, draw('rect', { ...whole, fill: '#f4f1ea' }), lines);
}

/** A landscape in the pixels of an old console. */
export function drawPixelTerrain(): string {
  const dot = 20;
  const [columns, rows] = [width / dot, height / dot];
  const dice = createDice(64);
  const pixel = (column: number, row: number, fill: string) =>
    rect(column * dot, row * dot, dot, dot, { fill });
  const bands = [
    '#2a1b52',
    '#3d2370',
    '#5f2d87',
    '#8c3a8f',
    '#bf4f86',
    '#e8727a',
    '#f7a072',
    '#fdc978',
  ];
  const cells: string[] = [];
  const ridge = (column: number, base: number, swell: number, seed: number) =>
    Math.round(
      base +
        Math.sin(column / 7 + seed) * swell +
        Math.sin(column / 3.1 + seed * 2) * swell * 0.4 +
        Math.abs(((column + seed * 9) % 14) - 7) * 0.5,
    );
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const depth = (row / 30) * (bands.length - 1);
      // Bands are dithered into each other with a checkerboard, as with few colours.
      const mixed = depth % 1 > 0.6 && (row + column) % 2 === 0 ? depth + 1 : depth;
      let fill = bands[Math.min(bands.length - 1, Math.floor(mixed))] ?? '#fdc978';
      const toSun = Math.hypot(column - 41.5, row - 17.5);
      if (toSun < 8.2 && !(row > 17 && row % 3 === 0)) fill = row < 15 ? '#fff2b8' : '#ffd166';
      if (row > ridge(column, 25, 3, 1)) fill = '#7b3a86';
      if (row > ridge(column, 30, 2.6, 4)) fill = '#4a2a72';
      if (row > ridge(column, 35, 2, 7)) fill = (row + column) % 2 ? '#2f9e78' : '#2a8f6d';
      if (row > ridge(column, 36, 2, 7)) fill = '#1f6f5c';
      if (row > ridge(column, 39, 1.2, 2)) fill = '#17494a';
      if (row < 14 && toSun > 11 && dice.chance(0.018)) fill = '#ffe9c9';
      cells.push(pixel(column, row, fill));
    }
  }
  return toSvg(width, height, draw('g', { 'shape-rendering': 'crispEdges' }, ...cells));
}

/** A city at three in the morning: signs, windows, a thin moon. */
export function drawArcadeSkyline(): string {
  const dice = createDice(33);
  const towers = (base: number, tone: string, lit: readonly string[], share: number) => {
    let drawn = '';
    for (let x = -20; x < width; ) {
      const wide = Math.round(dice.between(3, 7)) * 30;
      const top = Math.round((base - dice.between(0, 260)) / 30) * 30;
      drawn += rect(x, top, wide, height - top, { fill: tone });
      for (let row = top + 22; row < 860; row += 38) {
        for (let column = x + 14; column < x + wide - 16; column += 30) {
          if (!dice.chance(share)) continue;
          drawn += rect(column, row, 14, 18, { fill: dice.pick(lit), opacity: 0.9 });
        }
      }
      x += wide + Math.round(dice.between(0, 2)) * 10;
    }
    return drawn;
  };
  const signs = repeat(11, (index) => {
    const x = 60 + index * 106 + dice.between(-20, 20);
    const y = dice.between(470, 680);
    const tall = dice.between(90, 190);
    const color = dice.pick(['#ff4fa3', '#3de0ff', '#ffd34f', '#8d6bff', '#ff6a4d']);
    return [
      rect(x - 22, y - 22, 82, tall + 44, { rx: 24, fill: color, opacity: 0.16 }),
      rect(x, y, 38, tall, { rx: 8, fill: '#0d0826', stroke: color, 'stroke-width': 6 }),
      repeat(Math.floor(tall / 42), (mark) =>
        circle(x + 19, y + 28 + mark * 38, 9, { fill: color }),
      ),
    ].join('');
  });
  return toSvg(
    width,
    height,
    draw('defs', {}, gradient('sky', ['#0c0726', '#25104f', '#6a1f74'])),
    draw('rect', { ...whole, fill: 'url(#sky)' }),
    path('M320 84 A104 104 0 1 0 396 222 A88 88 0 0 1 320 84Z', { fill: '#ffe3f1' }),
    towers(560, '#2c1560', ['#7b4fb8', '#a65fc0'], 0.28),
    towers(690, '#1b0d42', ['#ffb86b', '#ff7ac0', '#59d8ff'], 0.3),
    signs,
    towers(900, '#0d0826', ['#ffd98a', '#ff7ac0'], 0.22),
  );
}

/** Colours of a height map, from the water up. */
const heights = [
  [168, 201, 199],
  [205, 219, 190],
  [231, 224, 186],
  [240, 222, 176],
  [236, 203, 153],
  [224, 178, 128],
] as const;

/** Contour lines, computed per pixel as RGB bytes. */
export function paintContourMap(): { width: number; height: number; data: Buffer } {
  const hills = [
    [280, 250, 210, 1],
    [820, 210, 170, 0.72],
    [960, 620, 230, 0.95],
    [430, 700, 190, 0.62],
    [620, 440, 130, 0.36],
    [60, 800, 160, -0.4],
  ] as const;
  const heightAt = (x: number, y: number) =>
    hills.reduce(
      (sum, [hx, hy, reach, tall]) =>
        sum + tall * Math.exp(-(((x - hx) ** 2 + (y - hy) ** 2) / (2 * reach ** 2))),
      0.06 * Math.sin(x / 80) * Math.cos(y / 100),
    );
  const levels = 12;
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const level = heightAt(x, y) * levels;
      const slope = Math.hypot(
        heightAt(x + 1, y) * levels - level,
        heightAt(x, y + 1) * levels - level,
      );
      const nearest = Math.round(level);
      const thick = nearest % 4 === 0 ? 2.4 : 1.1;
      // Distance in pixels is the difference in height divided by the slope.
      const away = Math.abs(level - nearest) / Math.max(slope, 0.004);
      const line = Math.max(0, Math.min(1, thick + 0.5 - away)) * (nearest % 4 === 0 ? 0.8 : 0.5);
      const band =
        heights[Math.max(0, Math.min(heights.length - 1, Math.floor((level + 1) / 2.2)))];
      const [red, green, blue] = band ?? heights[0];
      const start = (y * width + x) * 3;
      data[start] = red + (122 - red) * line;
      data[start + 1] = green + (62 - green) * line;
      data[start + 2] = blue + (34 - blue) * line;
    }
  }
  return { width, height, data };
}
