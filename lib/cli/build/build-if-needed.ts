import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';

const root = `${import.meta.dirname}/../../..`;
const sources = ['app', 'lib', 'public', 'next.config.mjs', 'proxy.ts', 'package-lock.json'];

/** Runs `next build` if a source file is newer than the last build. */
export async function buildIfNeeded(): Promise<void> {
  const builtAt = await changedAt(`${root}/.next/BUILD_ID`);
  const changes = await Promise.all(sources.map((source) => lastChangeBelow(`${root}/${source}`)));
  if (builtAt > Math.max(...changes)) return;
  const next = `${root}/node_modules/next/dist/bin/next`;
  const child = spawn(process.execPath, [next, 'build'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The build failed; see the output above.');
  // Without development dependencies it cannot be loaded, and the build is there.
  const { writeOgFonts } = await import('./write-og-fonts.ts');
  await writeOgFonts(root);
}

async function lastChangeBelow(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true }).catch(() => []);
  const times = await Promise.all([
    changedAt(path),
    ...entries.map((entry) => changedAt(`${path}/${entry}`)),
  ]);
  return Math.max(...times);
}

async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
