import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

/** Draws the SVG of its input as a PNG: in a process of its own, which can be ended whatever the drawing does. */

const sideMax = 800;
const pointsPerInch = 72;

// Whatever the input is, nothing else is loaded.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

const svg = await buffer(process.stdin);
const { width, height } = await sharp(svg).metadata();
const density = Math.max(1, (pointsPerInch * sideMax) / Math.max(width, height));
const png = await sharp(svg, { density })
  .resize({ width: sideMax, height: sideMax, fit: 'inside', withoutEnlargement: true })
  .png()
  .toBuffer();
process.stdout.write(png);
