import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export type Picture = {
  readonly bytes: Buffer;
  readonly type: string;
  /** In pixels; null for what is no raster image. */
  readonly size: { readonly width: number; readonly height: number } | null;
};

/** The drawn pictures of the sample table. */
export const picturesFolder = join(import.meta.dirname, 'pictures');

const types: Readonly<Record<string, string>> = {
  '.webp': 'image/webp',
  '.png': 'image/png',
};

/** Reads all pictures into memory, by relative path (`small/lantern.webp`). */
export function loadPictures(): ReadonlyMap<string, Picture> {
  const pictures = new Map<string, Picture>();
  for (const entry of readdirSync(picturesFolder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    const name = path.slice(picturesFolder.length + 1).replaceAll('\\', '/');
    pictures.set(name, { bytes, type, size: readPictureSize(bytes) });
  }
  return pictures;
}

/** Width and height from the header of a PNG or WebP file; null for anything else. */
function readPictureSize(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < 30) return null;
  if (bytes.toString('latin1', 1, 4) === 'PNG') {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  // WebP has three kinds of header (RFC 9649, sections 2.5 to 2.7).
  switch (bytes.toString('latin1', 8, 16)) {
    case 'WEBPVP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'WEBPVP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'WEBPVP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
