import { circle, createDice, draw, gradient, path, rect, repeat, round, toSvg } from './svg.ts';

const [width, height] = [1200, 900];
const whole = { x: 0, y: 0, width, height };

/** A sun in halftone dots, two inks slightly out of register. */
export function drawHalftoneSun(): string {
  const screen = (step: number, tone: (x: number, y: number) => number, fill: string) => {
    let dots = '';
    for (let row = 0; row < 1600 / step; row += 1) {
      for (let column = 0; column < 1600 / step; column += 1) {
        // The screen is at 45 degrees, so that rows do not show.
        const x = (column - row) * step * Math.SQRT1_2 + 600;
        const y = (column + row) * step * Math.SQRT1_2 - 600;
        if (x < -20 || x > width + 20 || y < -20 || y > height + 20) continue;
        const r = step * 0.72 * Math.sqrt(Math.max(0, tone(x, y)));
        if (r > 0.8) dots += circle(round(x), round(y), round(r), {});
      }
    }
    return draw('g', { fill }, dots);
  };
  const sun = (x: number, y: number) => {
    const distance = Math.hypot(x - 760, y - 420);
    return distance > 330 ? 0 : 0.14 + 0.86 * ((y - 90) / 660) ** 1.3;
  };
  const ground = (_x: number, y: number) => Math.min(1, Math.max(0, (y - 560) / 340)) ** 1.2;
  return toSvg(
    width,
    height,
    draw('rect', { ...whole, fill: '#f9e7cb' }),
    circle(748, 412, 330, { fill: '#ffc53d' }),
    screen(26, sun, '#ee4b34'),
    draw('g', { opacity: 0.9 }, screen(30, ground, '#3c2a86')),
  );
}

/** Blocks, quarter circles and stripes in a grid with gaps. */
export function drawBauhausBlocks(): string {
  const [ink, red, yellow, blue, sky] = ['#17151f', '#f0563a', '#f8c33c', '#2340c4', '#aadbf7'];
  const quarter = (x: number, y: number, r: number, turn: number, fill: string) =>
    path(`M0 0 L${r} 0 A${r} ${r} 0 0 1 0 ${r}Z`, {
      fill,
      transform: `translate(${x} ${y}) rotate(${turn})`,
    });
  const stripes = (x: number, y: number, size: number, fill: string) =>
    repeat(5, (index) => rect(x, y + (index * size) / 5, size, size / 10, { fill }));
  return toSvg(
    width,
    height,
    draw('rect', { ...whole, fill: '#f7f0e1' }),
    rect(0, 0, 300, 300, { fill: yellow }),
    circle(150, 150, 150, { fill: ink }),
    circle(150, 150, 62, { fill: '#f7f0e1' }),
    quarter(300, 0, 300, 0, red),
    quarter(1200, 0, 300, 90, blue),
    stripes(600, 0, 150, ink),
    rect(750, 150, 150, 150, { fill: sky }),
    circle(825, 225, 46, { fill: red }),
    quarter(0, 600, 300, 270, sky),
    path('M900 300 L1200 300 L1200 600Z', { fill: yellow }),
    quarter(1200, 600, 150, 180, ink),
    rect(0, 600, 300, 300, { fill: red }),
    path('M0 900 L300 900 L300 600Z', { fill: '#f9b5a3' }),
    quarter(300, 900, 300, 270, ink),
    circle(675, 825, 75, { fill: blue }),
    stripes(750, 750, 150, red),
    rect(600, 600, 150, 150, { fill: yellow }),
    rect(900, 600, 300, 300, { fill: blue }),
    quarter(900, 900, 300, 270, sky),
    circle(1125, 675, 40, { fill: yellow }),
  );
}

/** Circuit traces that grow like plants, with pads as flowers. */
export function drawCircuitGarden(): string {
  const dice = createDice(21);
  const tips = [240, 520, 130, 400, 620, 300, 90, 470, 210, 560, 340, 150, 430, 260, 600, 110, 380];
  const stems = tips.map((top, index) => {
    const home = 40 + index * 70;
    const color = dice.pick(['#d8f35a', '#7fd8a4', '#3f9b78', '#f8c33c', '#5cbf8f']);
    // All stems bend in the same direction, so that neighbours never cross.
    let [x, y] = [home, 925];
    let line = `M${x} ${y}`;
    while (y - 35 > top) {
      y = Math.max(top + 35, y - dice.between(40, 170));
      line += ` L${x} ${round(y)}`;
      x = x === home ? home + 35 : home;
      y -= 35;
      line += ` L${x} ${round(y)}`;
    }
    const flower = index % 3 !== 1;
    return [
      path(line, { fill: 'none', stroke: color, 'stroke-width': 9, 'stroke-linejoin': 'round' }),
      circle(x, round(y), flower ? 22 : 17, { fill: color }),
      circle(x, round(y), flower ? 10 : 8, { fill: '#0d3b34' }),
      flower ? repeat(8, (leaf) => petal(x, round(y), leaf * 45, color)) : '',
    ].join('');
  });
  return toSvg(
    width,
    height,
    draw('defs', {}, gradient('board', ['#0f453c', '#0b2f2a'])),
    draw('rect', { ...whole, fill: 'url(#board)' }),
    ...stems,
  );
}

function petal(x: number, y: number, degrees: number, fill: string): string {
  const transform = `translate(${x} ${y}) rotate(${degrees})`;
  return rect(27, -5, 15, 10, { rx: 5, fill, transform });
}

/** Terrazzo: chips of stone in plaster. */
export function drawTerrazzo(): string {
  const dice = createDice(52);
  const colors = ['#c8452f', '#e9a23b', '#2f5d62', '#e7b7a3', '#3b2a3f', '#9db8a5'];
  const taken: { x: number; y: number; r: number }[] = [];
  for (let tries = 0; tries < 2600 && taken.length < 190; tries += 1) {
    const chip = {
      x: dice.between(-20, 1220),
      y: dice.between(-20, 920),
      r: tries < 120 ? dice.between(44, 74) : dice.between(9, 34),
    };
    const free = taken.every(
      ({ x, y, r }) => Math.hypot(chip.x - x, chip.y - y) > (r + chip.r) * 1.02,
    );
    if (free) taken.push(chip);
  }
  const chips = taken.map(({ x, y, r }) => {
    const corners = Math.round(dice.between(4.6, 7.4));
    const turn = dice.between(0, 6.28);
    const points = Array.from({ length: corners }, (_, index) => {
      const angle = turn + ((index + dice.between(-0.25, 0.25)) / corners) * 2 * Math.PI;
      const reach = r * dice.between(0.74, 1);
      return `${round(x + Math.cos(angle) * reach)},${round(y + Math.sin(angle) * reach)}`;
    });
    return draw('polygon', {
      points: points.join(' '),
      fill: dice.pick(colors),
      'stroke-linejoin': 'round',
    });
  });
  return toSvg(width, height, draw('rect', { ...whole, fill: '#f4e9d7' }), ...chips);
}

/** Rings from two transmitters that meet. */
export function drawRadioRings(): string {
  const rings = (cx: number, cy: number, color: string) =>
    repeat(10, (index) =>
      circle(cx, cy, 80 + index * 104, {
        fill: 'none',
        stroke: color,
        'stroke-width': 46,
        opacity: Math.max(0.06, 0.9 - index * 0.09).toFixed(2),
      }),
    );
  return toSvg(
    width,
    height,
    draw('rect', { ...whole, fill: '#0d2c49' }),
    rings(300, 640, '#2fb3a4'),
    rings(900, 240, '#ff7a59'),
    circle(300, 640, 30, { fill: '#e9fff9' }),
    circle(900, 240, 30, { fill: '#fff1e6' }),
  );
}
