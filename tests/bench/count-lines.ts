import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

/**
 * `npm run count-lines -- [--tests] [CHECKOUT …]`: files and lines of product code by directory, as a
 * Markdown table with columns for each checkout. Product code is `app`, `lib` and `proxy.ts`; `--tests`
 * counts `tests` instead. Comments and blank lines do not count as code; files that are no code (texts,
 * pictures) are counted apart.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: 'boolean' } },
});
const sources = values.tests ? ['tests'] : ['app', 'lib', 'proxy.ts'];
const checkouts = (positionals.length > 0 ? positionals : ['.']).map((path) => resolve(path));

type Count = { files: number; code: number; comments: number };
const codeTypes = ['.ts', '.tsx', '.css', '.mjs'];
const dataRow = 'data and texts (no code)';

function countCheckout(root: string): Map<string, Count> {
  const counts = new Map<string, Count>();
  for (const path of listFiles(root)) {
    const directory = toDirectory(path);
    const count = counts.get(directory) ?? { files: 0, code: 0, comments: 0 };
    const lines = codeTypes.includes(extname(path)) ? countLines(join(root, path)) : null;
    count.files++;
    count.code += lines?.code ?? 0;
    count.comments += lines?.comments ?? 0;
    counts.set(directory, count);
  }
  return counts;
}

function listFiles(root: string): string[] {
  return sources.flatMap((source) => {
    if (extname(source) !== '') return existsSync(join(root, source)) ? [source] : [];
    return readdirSync(join(root, source), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  });
}

function toDirectory(path: string): string {
  if (!codeTypes.includes(extname(path))) return dataRow;
  if (extname(path) === '.css') return 'style sheets';
  const [top = '', second = '', ...deeper] = path.split('/');
  if (top === 'tests') return dirname(path).split('/').slice(0, 3).join('/');
  if (top === 'lib' && deeper.length > 0) return `lib/${second}`;
  return top === 'app' ? 'app' : '(top level)';
}

function countLines(file: string): Pick<Count, 'code' | 'comments'> {
  const text = readFileSync(file, 'utf8');
  const all = text.split('\n');
  const filled = all.filter((line) => line.trim() !== '').length;
  const code = extname(file) === '.css' ? countCss(text) : countTokenLines(file, text);
  return { code, comments: filled - code };
}

function countCss(text: string): number {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, '');
  return bare.split('\n').filter((line) => line.trim() !== '').length;
}

/** Lines with a token on them; those inside of a template's text count, too. */
function countTokenLines(file: string, text: string): number {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = new Set<number>();
  const toLine = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node) => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode)
      return;
    const children = node.getChildren(source);
    for (const child of children) visit(child);
    if (children.length > 0 || node.getWidth(source) === 0) return;
    for (let line = toLine(node.getStart(source)); line <= toLine(node.end); line++)
      lines.add(line);
  };
  visit(source);
  return [...lines].filter((line) => isFilled(source, text, line)).length;
}

function isFilled(source: ts.SourceFile, text: string, line: number): boolean {
  const starts = source.getLineStarts();
  return text.slice(starts[line], starts[line + 1]).trim() !== '';
}

const counts = checkouts.map(countCheckout);
const directories = [...new Set(counts.flatMap((count) => [...count.keys()]))].sort();
const toCells = (count: Count | undefined) => [count?.files, count?.code, count?.comments];
const sum = (count: ReadonlyMap<string, Count>): Count => {
  const total = { files: 0, code: 0, comments: 0 };
  for (const [directory, { files, code, comments }] of count) {
    if (directory === dataRow) continue;
    total.files += files;
    total.code += code;
    total.comments += comments;
  }
  return total;
};
const headings = checkouts.flatMap((_, index) =>
  ['files', 'code', 'comments'].map((name) =>
    checkouts.length > 1 ? `${name} ${index + 1}` : name,
  ),
);
const rows = [
  ['directory', ...headings],
  ['---', ...headings.map(() => '---:')],
  ...directories.map((name) => [name, ...counts.flatMap((count) => toCells(count.get(name)))]),
  ['**all code**', ...counts.flatMap((count) => toCells(sum(count)))],
];
process.stdout.write(
  `${rows.map((row) => `| ${row.map((cell) => cell ?? 0).join(' | ')} |`).join('\n')}\n`,
);
