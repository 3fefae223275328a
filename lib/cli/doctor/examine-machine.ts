import { readFile, stat, statfs } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '#lib/config/config.ts';
import { freeBytesMin, probeDisk, toMegabytes } from '#lib/storage/disk.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const nodeMajor = 24;

export type Machine = Readonly<{ root: string; config: Config }>;

/** What the process needs of its machine: Node, the build, files and the disk. */
export async function examineMachine({ root, config }: Machine): Promise<Finding[]> {
  const { dataDir } = config.storage;
  return [
    { name: 'Node.js', ...examineNode(process.versions.node) },
    { name: 'build', ...(await examineBuild(root)) },
    { name: 'DATA_DIR', ...(await examineFolder(resolve(root, dataDir))) },
    { name: 'pepper', ...(await examinePepper(config, resolve(root, dataDir))) },
    { name: 'settings', ...(await examineSettings(root, config)) },
    { name: 'workers', ...examineWorkers(config.workers, availableParallelism()) },
  ];
}

function examineNode(version: string): Omit<Finding, 'name'> {
  if (Number.parseInt(version, 10) === nodeMajor) return ok(version);
  return problem(`${version}, but Marquee needs ${nodeMajor}: start it with \`npm start\`.`);
}

/** @param cores of the machine, or as many as the container may use */
export function examineWorkers(workers: number, cores: number): Omit<Finding, 'name'> {
  if (workers > 1 || cores === 1) return ok(`${workers}, on ${cores} cores`);
  return warning(
    `1 on ${cores} cores: the others are idle, unless more instances run here. WORKERS=max uses all of them, with 512 MB of memory for each.`,
  );
}

async function examineBuild(root: string): Promise<Omit<Finding, 'name'>> {
  const file = join(root, '.next/BUILD_ID');
  const [id, made] = await Promise.all([read(file), stat(file).catch(() => null)]);
  if (id === null || made === null) return problem('There is none. Run `npm run build`.');
  return ok(`${id.trim()}, made at ${made.mtime.toISOString()}`);
}

async function examineFolder(path: string): Promise<Omit<Finding, 'name'>> {
  const folder = await stat(path).catch(() => null);
  // The server creates it.
  const existing = folder === null ? await findExisting(path) : path;
  try {
    await probeDisk(existing);
  } catch (error) {
    if (!isStorageError(error)) throw error;
    return problem(error.message);
  }
  const { bavail, bsize } = await statfs(existing);
  const free = `${toMegabytes(bavail * bsize)} free`;
  if (bavail * bsize < freeBytesMin) return warning(`${path}: only ${free}.`);
  if (folder !== null && (folder.mode & 0o077) !== 0) {
    return warning(`${path} can be read by other users: \`chmod 700 ${path}\`.`);
  }
  return ok(`${path}, ${free}`);
}

async function findExisting(path: string): Promise<string> {
  const parent = dirname(path);
  const isThere = await stat(parent).then(
    () => true,
    () => false,
  );
  return isThere || parent === path ? parent : findExisting(parent);
}

async function examinePepper(config: Config, dataDir: string): Promise<Omit<Finding, 'name'>> {
  if (config.keys.pepper !== null) return ok('KEY_PEPPER is set.');
  const path = join(dataDir, 'pepper');
  if ((await read(path)) !== null)
    return ok(`${path}: without this file no key works. Back it up.`);
  return ok(`${path} is created with the first key.`);
}

async function examineSettings(root: string, config: Config): Promise<Omit<Finding, 'name'>> {
  const file = await stat(join(root, '.env')).catch(() => null);
  if (file !== null && (file.mode & 0o077) !== 0) {
    return warning('.env has secrets, but other users can read it: `chmod 600 .env`.');
  }
  if (config.site.url.startsWith('http://localhost')) {
    return warning(`SITE_URL is ${config.site.url}: links in feeds and calendars lead there.`);
  }
  return ok('valid');
}

function read(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

const differenceMaxSeconds = 5;
const timeoutMs = 5_000;

/** Compares this machine's clock with the Date of a server: ages, days and expiries depend on it. */
export async function examineClock(url: string, now: () => number): Promise<Finding> {
  const name = 'clock';
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
  await response?.body?.cancel();
  const serverTime = Date.parse(response?.headers.get('date') ?? '');
  if (Number.isNaN(serverTime)) return { name, ...ok('not compared: no server sent the time') };
  // Date has whole seconds.
  const seconds = Math.round((now() - serverTime - 500) / 1000);
  const { host } = new URL(url);
  if (Math.abs(seconds) <= differenceMaxSeconds) return { name, ...ok(`agrees with ${host}`) };
  const way = seconds > 0 ? 'ahead of' : 'behind';
  return {
    name,
    ...warning(`${Math.abs(seconds)} s ${way} that of ${host}: synchronize it (NTP).`),
  };
}
