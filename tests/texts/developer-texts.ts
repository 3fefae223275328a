import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { endpoints, toShownPath } from '#lib/ai-proxy/endpoints.ts';
import { listTestFiles, selectTestFiles } from '../test-files.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readmeLinesMax = 150;

/** What the texts for developers say that is not so. */
export function findTextProblems(): readonly string[] {
  const texts = ['README.md', 'AGENTS.md', ...globSync('lib/*/README.md', { cwd: root })];
  return [
    ...texts.flatMap(findWrongReferences),
    ...findUnnamedEndpoints(),
    ...findUnnamedScripts(),
    ...findWrongTestCommands(),
    ...findLengthProblem(),
  ];
}

function findWrongReferences(text: string): string[] {
  const content = read(text);
  const paths = findAll(content, /`((?:app|lib|tests)\/[\w./[\]()-]*)`/g);
  const links = findAll(content, /(?:\]\(|(?:src|srcset)=")(?!https?:|#)([^)#"]+)/g);
  const scripts = findAll(content, /\bnpm run ([\w:-]+)/g);
  return [
    ...paths.filter((path) => !existsSync(join(root, path))),
    ...links.filter((path) => !existsSync(resolve(root, dirname(text), path))),
    ...scripts.filter((name) => !scriptNames.includes(name)).map((name) => `npm run ${name}`),
  ].map((name) => `${text} names ${name}, which does not exist.`);
}

const scriptNames = Object.keys(JSON.parse(read('package.json')).scripts);

function findUnnamedScripts(): string[] {
  const texts = ['README.md', 'AGENTS.md', 'lib/representations/docs/operate/commands.md'];
  const shown = texts.map(read).join('\n');
  return scriptNames
    .filter((name) => !new RegExp(`npm (?:run )?${name}(?![\\w:-])`).test(shown))
    .map((name) => `${texts.join(', ')}: none of them names the script ${name}.`);
}

// An endpoint has a row, or is named in that of the path above it.
function findUnnamedEndpoints(): string[] {
  const rows = read('README.md').split('\n');
  return endpoints
    .map(toShownPath)
    .filter((path) => {
      const [above, name] = [dirname(path), path.slice(dirname(path).length)];
      const isNamed = (row: string) =>
        row.includes(` ${path}\``) || (row.includes(` ${above}\``) && row.includes(`\`${name}\``));
      return !rows.some(isNamed);
    })
    .map((path) => `README.md has no row of ${path}.`);
}

function findWrongTestCommands(): string[] {
  const commands = [...read('AGENTS.md').matchAll(/`npm test -- ([\w./-]+)(?: -t "([^"]+)")?`/g)];
  return commands
    .filter(([, words = '', name = '']) => {
      const files = selectTestFiles(listTestFiles(), [words]);
      return !files.some(({ path }) => read(path).includes(name));
    })
    .map(([command]) => `AGENTS.md: ${command} finds no test.`);
}

function findLengthProblem(): string[] {
  const lines = read('README.md').trimEnd().split('\n').length;
  return lines > readmeLinesMax ? [`README.md has ${lines} lines; ${readmeLinesMax} may be.`] : [];
}

function findAll(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}
