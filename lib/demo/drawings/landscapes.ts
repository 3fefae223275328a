import { at, circle, createDice, draw, gradient, path, rect, repeat, round, toSvg } from './svg.ts';

const [width, height] = [1200, 900];
const whole = { x: 0, y: 0, width, height };

/** Lanterns over a river at night, with their reflections. */
export function drawLanternNight(): string {
  const dice = createDice(11);
  const lantern = (x: number, y: number, size: number) => {
    const tall = size * 1.25;
    return [
      circle(x, y, size * 2.4, { fill: 'url(#glow)', opacity: 0.75 }),
      rect(x - size / 2, y - tall / 2, size, tall, { rx: size * 0.3, fill: 'url(#paper)' }),
      rect(x - size * 0.24, y - tall / 2 - size * 0.09, size * 0.48, size * 0.14, {
        fill: '#3a1233',
      }),
      rect(x - size * 0.24, y + tall / 2 - size * 0.05, size * 0.48, size * 0.14, {
        fill: '#3a1233',
      }),
    ].join('');
  };
  const floating = repeat(34, (index) => {
    const depth = index / 34;
    return lantern(
      dice.between(20, 1180),
      dice.between(30, 560 - 260 * (1 - depth)),
      12 + depth ** 2 * 62,
    );
  });
  const reflected = repeat(70, () => {
    const y = dice.between(640, 890);
    const wide = ((y - 590) / 300) * dice.between(40, 130);
    return draw('ellipse', {
      cx: dice.between(0, 1200),
      cy: y,
      rx: wide,
      ry: 2 + (y - 620) / 70,
      fill: dice.pick(['#ffb13d', '#ff7a45', '#e2559a']),
      opacity: dice.between(0.15, 0.5).toFixed(2),
    });
  });
  return toSvg(
    width,
    height,
    draw(
      'defs',
      {},
      gradient('sky', ['#150b2e', '#33124f', '#7a2a66']),
      gradient('water', ['#3d1650', '#170a2b']),
      gradient('paper', ['#ffe9a8', '#ffb13d', '#f0653a']),
      gradient('glow', ['#ffb13d/0.55', '#ff7a45/0.18', '#ff7a45/0'], 'radial'),
    ),
    draw('rect', { ...whole, fill: 'url(#sky)' }),
    path('M0 620 L0 540 Q150 470 320 530 T640 520 T980 500 T1200 545 L1200 620Z', {
      fill: '#2a0f3f',
    }),
    path('M0 625 L0 585 Q200 545 420 580 T820 572 T1200 590 L1200 625Z', { fill: '#1b0a2e' }),
    rect(0, 618, width, 282, { fill: 'url(#water)' }),
    reflected,
    floating,
  );
}

/** Hills cut from sheets of paper. */
export function drawPaperHills(): string {
  const sheets = ['#f7b98a', '#f0906c', '#dd6a63', '#b44a63', '#80335e', '#4f2350', '#2d1740'];
  const dice = createDice(4);
  const hills = sheets.map((fill, index) => {
    const base = 330 + index * 88;
    let line = `M-20 920 L-20 ${base}`;
    for (let x = -20; x < 1220; x += 310) {
      const [up, down] = [dice.between(40, 130), dice.between(0, 70)];
      line += ` C${x + 100} ${base - up} ${x + 210} ${base + down} ${x + 310} ${round(base + dice.between(-40, 30))}`;
    }
    const d = `${line} L1220 920Z`;
    return [
      path(d, {
        fill: '#3a0f33',
        opacity: 0.16,
        transform: 'translate(0 -16)',
        filter: 'url(#soft)',
      }),
      path(d, { fill }),
      path(d, { fill: 'none', stroke: '#fff', 'stroke-opacity': 0.16, 'stroke-width': 2 }),
    ].join('');
  });
  return toSvg(
    width,
    height,
    draw(
      'defs',
      {},
      gradient('sky', ['#ffe7c4', '#fbc79a']),
      draw('filter', { id: 'soft' }, draw('feGaussianBlur', { stdDeviation: 9 })),
    ),
    draw('rect', { ...whole, fill: 'url(#sky)' }),
    circle(830, 250, 150, { fill: '#fff3d9', opacity: 0.6 }),
    circle(830, 250, 112, { fill: '#f4694c' }),
    ...hills,
  );
}

/** The wave pattern of old prints, from pale to deep, under a low sun. */
export function drawHarbourWaves(): string {
  const radius = 150;
  const tones = ['#8fc3d9', '#6cadcd', '#4a90b9', '#3373a2', '#235a8a', '#194670', '#133a5e'];
  const foam = { fill: 'none', stroke: '#f3ead6', 'stroke-width': 6 };
  const rows = tones.map((tone, row) => {
    const y = 500 + row * 72;
    return repeat(6, (column) => {
      const x = column * radius * 2 - (row % 2) * radius;
      return [
        circle(x, y, radius, { ...foam, fill: tone }),
        circle(x, y, 104, foam),
        circle(x, y, 58, foam),
      ].join('');
    });
  });
  return toSvg(
    width,
    height,
    draw('defs', {}, gradient('sky', ['#12315a', '#2f5f8f', '#f0a07c'])),
    rect(0, 0, width, 520, { fill: 'url(#sky)' }),
    circle(850, 330, 180, { fill: '#f4553f' }),
    ...rows,
  );
}

/** Star trails around the pole in a long exposure, over a dome. */
export function drawStarTrails(): string {
  const dice = createDice(29);
  const [poleX, poleY] = [780, 300];
  const trails = repeat(200, () => {
    const distance = 12 + dice.between(0, 1) ** 0.7 * 980;
    const start = dice.between(0, 360);
    const sweep = dice.between(18, 42);
    const d = `M${at(poleX, poleY, start, distance)} A${round(distance)} ${round(distance)} 0 0 1 ${at(poleX, poleY, start + sweep, distance)}`;
    return path(d, {
      fill: 'none',
      stroke: dice.pick(['#ffffff', '#cfd8ff', '#ffe2b0', '#b7a6ff', '#8fd0ff']),
      'stroke-width': round(dice.between(1.2, 4)),
      'stroke-linecap': 'round',
      opacity: dice.between(0.3, 0.95).toFixed(2),
    });
  });
  return toSvg(
    width,
    height,
    draw('defs', {}, gradient('sky', ['#070b24', '#141d4f', '#43357a'])),
    draw('rect', { ...whole, fill: 'url(#sky)' }),
    trails,
    circle(poleX, poleY, 5, { fill: '#fff' }),
    path('M0 900 L0 770 Q260 690 520 760 T1200 740 L1200 900Z', { fill: '#0a0d26' }),
    path('M180 790 A130 130 0 0 1 440 790Z', { fill: '#05071a' }),
    rect(168, 786, 284, 114, { fill: '#05071a' }),
    path('M306 668 L352 676 L330 790 L306 790Z', { fill: '#ffcf7a' }),
  );
}

/** Lit windows of a train at night. */
export function drawNightTrain(): string {
  const dice = createDice(8);
  const windows = repeat(9, (index) => {
    const x = 30 + index * 140;
    const lit = index !== 2 && index !== 6;
    return [
      rect(x, 470, 106, 104, { rx: 16, fill: lit ? 'url(#lit)' : '#22305f' }),
      lit ? rect(x + 8, 548, 90, 18, { rx: 6, fill: '#b5521f', opacity: 0.55 }) : '',
      lit && dice.chance(0.6) ? circle(x + dice.between(34, 72), 536, 15, { fill: '#5a2412' }) : '',
      rect(x - 10, 640, 126, 200, { fill: 'url(#beam)', opacity: lit ? 0.5 : 0.06 }),
    ].join('');
  });
  const streaks = repeat(42, () =>
    rect(
      dice.between(-200, 1100),
      dice.between(680, 890),
      dice.between(120, 460),
      dice.between(2, 5),
      {
        rx: 2,
        fill: dice.pick(['#ffc65c', '#5d77c9', '#8ea4e8', '#2b3d7d']),
        opacity: dice.between(0.15, 0.5).toFixed(2),
      },
    ),
  );
  const stars = repeat(60, () =>
    circle(dice.between(0, 1200), dice.between(0, 330), dice.between(1, 2.6), {
      fill: '#dfe7ff',
      opacity: 0.8,
    }),
  );
  return toSvg(
    width,
    height,
    draw(
      'defs',
      {},
      gradient('sky', ['#070f2b', '#12235a', '#2d3f86']),
      gradient('lit', ['#ffe6a6', '#ffb84a']),
      gradient('beam', ['#ffc65c/0.7', '#ffc65c/0']),
    ),
    draw('rect', { ...whole, fill: 'url(#sky)' }),
    stars,
    path('M960 92 A80 80 0 1 0 1018 196 A68 68 0 0 1 960 92Z', { fill: '#ffe6b8' }),
    path(
      'M0 480 L0 350 L170 250 L300 330 L470 200 L650 340 L800 260 L960 350 L1100 280 L1200 340 L1200 480Z',
      { fill: '#1a2a63' },
    ),
    path('M0 480 L0 400 L220 330 L420 395 L640 320 L860 400 L1040 350 L1200 395 L1200 480Z', {
      fill: '#121f4d',
    }),
    rect(0, 430, width, 210, { fill: '#0a1230' }),
    rect(0, 430, width, 14, { fill: '#c2412f' }),
    rect(0, 606, width, 8, { fill: '#c2412f' }),
    rect(0, 640, width, 260, { fill: '#0b1536' }),
    streaks,
    windows,
  );
}
