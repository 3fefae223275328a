import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bytesMax = 500_000;
const drawnBytesMax = 10_000_000;
const timeoutMs = 8_000;

/** What would bring in something else: entities, pictures within, and what refers to a file or a host. */
const outside =
  /<!DOCTYPE[^>]*\[|<!ENTITY|<\?xml-stylesheet|<(?:\w+:)?(?:image|feImage|foreignObject)\b|@import|@font-face|url\(\s*["']?(?!\s*#)|<(?:\w+:)?use\b[^>]*?href\s*=\s*["'](?!#)/i;

/** Whether bytes are an SVG: a name or a Content-Type may say otherwise. */
export function isSvg(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4_000));
  return /^\ufeff?\s*(?:<\?xml[^>]*>\s*|<!--[^>]*-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/i.test(
    head.toString('utf8'),
  );
}

/** Draws an SVG as a PNG; null if it needs anything from outside, is too large, takes too long, or is broken. */
export function drawSvg(bytes: Uint8Array): Promise<Buffer | null> {
  const text = Buffer.from(bytes).toString('utf8');
  if (bytes.length > bytesMax || outside.test(text)) return Promise.resolve(null);
  return new Promise((resolve) => {
    const program = fileURLToPath(new URL('./draw-svg-program.ts', import.meta.url));
    const options = {
      encoding: 'buffer',
      env: { NODE_ENV: 'production' },
      killSignal: 'SIGKILL',
      maxBuffer: drawnBytesMax,
      timeout: timeoutMs,
    } as const;
    const child = execFile(process.execPath, [program], options, (error, png) =>
      resolve(error === null ? png : null),
    );
    // It may have ended before it has read everything. What stands before the drawing is none of it.
    child.stdin?.on('error', () => {}).end(text.slice(text.search(/<svg[\s>]/i)));
  });
}
