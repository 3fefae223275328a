import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deferProgram } from '#lib/server/defer-program.ts';

const page = [
  '<!DOCTYPE html><html><head>',
  '<link rel="preload" as="script" fetchPriority="low" href="/_next/static/chunks/a.js"/>',
  '<link rel="preload" as="font" href="/_next/static/media/f.woff2"/>',
  '<script src="/_next/static/chunks/b.js" async=""></script>',
  '<script src="/_next/static/chunks/old.js" noModule=""></script>',
  '</head><body><h1>It</h1>',
  '<script src="/_next/static/chunks/a.js" async=""></script>',
  '<script id="_R_">(globalThis["TURBOPACK"] || (globalThis["TURBOPACK"] = [])).push("start");</script>',
  '<script>(self.__next_f=self.__next_f||[]).push([0])</script>',
  '<script>self.__next_f.push([1,"$& one"])</script>',
  '<script>self.__next_f.push([1,"two"])</script>',
  '</body></html>',
].join('');

const dataAddress = '/_page/abc.js?of=%2F';
const defer = (html: string) => deferProgram(html, () => dataAddress);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A document's head, which tells what was added to it. */
function makeDocument() {
  const sources: string[] = [];
  return {
    sources,
    document: {
      createElement: () => ({}),
      head: { append: ({ src }: { src: string }) => sources.push(src) },
    },
  };
}

/** Runs the loader as a browser does; tells what was loaded, and lets a sign be given. */
function open(html: string) {
  const { sources, document } = makeDocument();
  const listeners = new Map<string, () => void>();
  const [, loader = ''] = /.*<script>(\(\(\)=>.*?)<\/script>/s.exec(html) ?? [];
  runInNewContext(loader, {
    Object,
    setTimeout,
    clearTimeout,
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    removeEventListener: (name: string) => listeners.delete(name),
    document,
  });
  return { sources, give: (sign: string) => listeners.get(sign)?.() };
}

test('the program is not loaded while a page is only looked at', () => {
  const html = defer(page);
  expect(html).not.toMatch(/<script src="[^"]*" [^>]*async/);
  expect(html).not.toContain('as="script"');
  expect(open(html).sources).toEqual([]);
});

test('old browsers get no program', () => {
  expect(defer(page)).not.toContain('noModule');
});

test('what is no part of the program stays where it is', () => {
  const html = defer(page);
  expect(html).toContain('as="font"');
  expect(html).toContain('<h1>It</h1>');
});

test('the data is one script, which gives the program what the page would have given it, then runs it', () => {
  let script = '';
  const html = deferProgram(page, (given) => {
    script = given;
    return dataAddress;
  });
  expect(html).not.toContain('__next_f');
  expect(html).not.toContain('TURBOPACK');
  const self: { __next_f?: unknown[] } = {};
  const { sources, document } = makeDocument();
  const context: Record<string, unknown> = { self, document, Object };
  runInNewContext(script, context);
  expect(context.TURBOPACK).toEqual(['start']);
  expect(self.__next_f).toEqual([[0], [1, '$& one'], [1, 'two']]);
  expect(sources).toEqual(['/_next/static/chunks/b.js', '/_next/static/chunks/a.js']);
});

test.for(['pointerdown', 'keydown', 'focusin', 'wheel'])('a %s loads it once', (sign) => {
  const { sources, give } = open(defer(page));
  give(sign);
  give('pointermove');
  vi.advanceTimersByTime(60_000);
  expect(sources).toEqual([dataAddress]);
});

test('a tab that stays open loads it by itself', () => {
  const { sources } = open(defer(page));
  vi.advanceTimersByTime(60_000);
  expect(sources).toEqual([dataAddress]);
});

test('a page without a program is left as it is', () => {
  expect(defer('<html><body>x</body></html>')).toBe('<html><body>x</body></html>');
});

test('a page that is little without its program keeps it where it is, and no text can say so', () => {
  const needy = page.replace('</body>', '<div class="a" data-needs-program="true"></div></body>');
  expect(defer(needy)).toBe(needy);
  const told = page.replace('</body>', '<p>&lt;div data-needs-program="true"></p></body>');
  expect(defer(told)).not.toMatch(/<script src="[^"]*" [^>]*async/);
});
