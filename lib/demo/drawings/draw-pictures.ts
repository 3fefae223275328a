import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { picturesFolder } from '../load-pictures.ts';
import {
  drawArcadeSkyline,
  drawPixelTerrain,
  drawPlotterField,
  paintContourMap,
} from './fields.ts';
import {
  drawHarbourWaves,
  drawLanternNight,
  drawNightTrain,
  drawPaperHills,
  drawStarTrails,
} from './landscapes.ts';
import { marks } from './marks.ts';
import {
  drawBauhausBlocks,
  drawCircuitGarden,
  drawHalftoneSun,
  drawRadioRings,
  drawTerrazzo,
} from './patterns.ts';

/** Airtable's thumbnail sizes: 36 pixels high, and at most 512 wide. */
const smallHeight = 36;
const largeWidth = 512;

const backgrounds: Readonly<Record<string, () => string>> = {
  'arcade-skyline': drawArcadeSkyline,
  'bauhaus-blocks': drawBauhausBlocks,
  'circuit-garden': drawCircuitGarden,
  'halftone-sun': drawHalftoneSun,
  'harbour-waves': drawHarbourWaves,
  'lantern-night': drawLanternNight,
  'night-train': drawNightTrain,
  'paper-hills': drawPaperHills,
  'pixel-terrain': drawPixelTerrain,
  'plotter-field': drawPlotterField,
  'radio-rings': drawRadioRings,
  'star-trails': drawStarTrails,
  terrazzo: drawTerrazzo,
};

/** Drawings with few colours and fine edges: smaller and sharper as lossless palette images. */
const inks: Readonly<Record<string, number>> = {
  'halftone-sun': 16,
  'harbour-waves': 32,
  'plotter-field': 16,
};

/**
 * Draws the pictures of the sample table. They are committed, so run this only after changing a
 * drawing: `node lib/demo/drawings/draw-pictures.ts [name ...]`.
 */
async function drawPictures(names: readonly string[]): Promise<void> {
  const isWanted = (name: string) => names.length === 0 || names.includes(name);
  for (const [name, drawBackground] of Object.entries(backgrounds)) {
    if (isWanted(name)) await saveBackground(name, sharp(Buffer.from(drawBackground())));
  }
  if (isWanted('contour-map')) {
    const { data, ...raw } = paintContourMap();
    await saveBackground('contour-map', sharp(data, { raw: { ...raw, channels: 3 } }));
  }
  for (const [name, drawMark] of Object.entries(marks)) {
    if (!isWanted(name)) continue;
    // One PNG, so that both types occur.
    await saveMark(name, sharp(Buffer.from(drawMark())), name === 'seedling' ? 'png' : 'webp');
  }
}

async function saveBackground(name: string, picture: Sharp): Promise<void> {
  const file = `${name}.webp`;
  await save(file, await printed(picture.clone(), inks[name]));
  for (const [folder, size] of [
    ['large', { width: largeWidth }],
    ['small', { height: smallHeight }],
  ] as const) {
    await save(join(folder, file), picture.clone().resize(size).webp({ quality: 42, effort: 6 }));
  }
}

async function printed(picture: Sharp, colours: number | undefined): Promise<Sharp> {
  if (colours === undefined) return picture.webp({ quality: 54, effort: 6 });
  const flat = await picture.png({ palette: true, colours, dither: 0 }).toBuffer();
  return sharp(flat).webp({ lossless: true, effort: 5 });
}

async function saveMark(name: string, picture: Sharp, type: 'png' | 'webp'): Promise<void> {
  const file = `${name}.${type}`;
  const encode = (drawn: Sharp) =>
    type === 'png'
      ? drawn.png({ palette: true, effort: 10 })
      : drawn.webp({ quality: 82, effort: 6 });
  await save(file, encode(picture.clone()));
  await save(join('small', file), encode(picture.clone().resize({ height: smallHeight })));
}

async function save(file: string, picture: Sharp): Promise<void> {
  const path = join(picturesFolder, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await picture.toBuffer());
}

await drawPictures(process.argv.slice(2));
