import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import type { Program } from './programs.ts';

export type TestFile = Readonly<{
  suite: 'unit' | 'api' | 'browser';
  /** Relative to the root of the repository. */
  path: string;
}>;

const root = join(import.meta.dirname, '..');

export function listTestFiles(): readonly TestFile[] {
  return (['unit', 'api', 'browser'] as const).flatMap((suite) =>
    globSync(`tests/{,long/}${suite}/**/*.{test,spec}.ts`, { cwd: root })
      .toSorted()
      .map((path) => ({ suite, path })),
  );
}

/** The files whose path contains one of the words; all but the long ones if there are no words. */
export function selectTestFiles(
  files: readonly TestFile[],
  words: readonly string[],
): readonly TestFile[] {
  if (words.length === 0) return files.filter(({ path }) => !path.startsWith('tests/long/'));
  const wanted = words.map((word) => word.toLowerCase().replace(/^\.\//, ''));
  return files.filter(({ path }) => wanted.some((word) => path.toLowerCase().includes(word)));
}

/** Modules of `tests/support` that start a program. */
const programsOfModules: Readonly<Record<string, Program | readonly Program[]>> = {
  'tests/support/clients/chromium.ts': 'headless-chromium',
  'tests/support/clients/python-icalendar.ts': 'icalendar',
  'tests/support/programs/faketime.ts': 'faketime',
  'tests/support/programs/nginx.ts': ['nginx', 'openssl', 'bwrap'],
  'tests/support/programs/pgbouncer.ts': 'pgbouncer',
  'tests/support/programs/postgres.ts': 'postgres',
  'tests/support/programs/promtool.ts': 'promtool',
  'tests/support/programs/rebinding-network.ts': ['bwrap', 'busybox'],
  'tests/support/programs/sandbox.ts': 'bwrap',
  'tests/support/programs/terminal.ts': ['script', 'busybox', 'curl'],
};

export type Requirements = Readonly<{ programs: readonly Program[]; isBuildNeeded: boolean }>;

/** What must be there before files can run, judged by their suite and by what they import. */
export function findRequirements(files: readonly TestFile[]): Requirements {
  const modules = new Set<string>();
  for (const { path } of files) addImports(path, modules);
  const programs = new Set([...modules].flatMap((path) => programsOfModules[path] ?? []));
  if (files.some(({ suite }) => suite === 'browser')) programs.add('headless-chromium');
  return { programs: [...programs], isBuildNeeded: files.some(({ suite }) => suite !== 'unit') };
}

// Adds a module and the test modules that it imports, directly or not. A list by hand would be a second truth, and what
// a test asks for when it runs comes too late to be installed.
function addImports(path: string, modules: Set<string>): void {
  if (modules.has(path)) return;
  modules.add(path);
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), 'utf8'));
  for (const { fileName } of importedFiles) {
    const imported = join(dirname(path), fileName);
    if (fileName.startsWith('.') && imported.startsWith('tests/')) addImports(imported, modules);
  }
}
