import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deferScripts } from '#lib/server/defer-scripts.ts';

const page = [
  '<!DOCTYPE html><html><head>',
  '<link rel="preload" as="script" fetchPriority="low" href="/_next/static/chunks/a.js"/>',
  '<link rel="preload" as="font" href="/_next/static/media/f.woff2"/>',
  '<script src="/_next/static/chunks/b.js" async=""></script>',
  '<script src="/_next/static/chunks/old.js" noModule=""></script>',
  '</head><body><h1>It</h1>',
  '<script src="/_next/static/chunks/a.js" id="_R_" async=""></script>',
  '<script>(self.__next_f=self.__next_f||[]).push([0])</script>',
  '</body></html>',
].join('');

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Runs the loader as a browser does; tells what was loaded, and lets a sign be given. */
function open(html: string) {
  const loaded: string[] = [];
  const listeners = new Map<string, () => void>();
  const [, loader = ''] = /.*<script>(\(\(\)=>.*?)<\/script>/s.exec(html) ?? [];
  runInNewContext(loader, {
    Object,
    JSON,
    setTimeout,
    clearTimeout,
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    removeEventListener: (name: string) => listeners.delete(name),
    document: {
      createElement: () => ({}),
      head: { append: ({ src }: { src: string }) => loaded.push(src) },
    },
  });
  return { loaded, give: (sign: string) => listeners.get(sign)?.() };
}

test('the program is not loaded while a page is only looked at', () => {
  const html = deferScripts(page);
  expect(html).not.toMatch(/<script src="[^"]*" [^>]*async/);
  expect(html).not.toContain('as="script"');
  expect(open(html).loaded).toEqual([]);
});

test('what is no part of the program stays where it is', () => {
  const html = deferScripts(page);
  expect(html).toContain('as="font"');
  expect(html).toContain('noModule=""');
  expect(html).toContain('push([0])');
});

test.for(['pointerdown', 'keydown', 'touchstart', 'focusin', 'wheel'])(
  'a %s loads every part of the program once',
  (sign) => {
    const { loaded, give } = open(deferScripts(page));
    give(sign);
    give('pointermove');
    vi.advanceTimersByTime(60_000);
    expect(loaded).toEqual(['/_next/static/chunks/b.js', '/_next/static/chunks/a.js']);
  },
);

test('a tab that stays open loads it by itself', () => {
  const { loaded } = open(deferScripts(page));
  vi.advanceTimersByTime(60_000);
  expect(loaded).toHaveLength(2);
});

test('a page without a program is left as it is', () => {
  expect(deferScripts('<html><body>x</body></html>')).toBe('<html><body>x</body></html>');
});

test('a page that is little without its program keeps it where it is, and no text can say so', () => {
  const needy = page.replace('</body>', '<div class="a" data-needs-program="true"></div></body>');
  expect(deferScripts(needy)).toBe(needy);
  const told = page.replace('</body>', '<p>&lt;div data-needs-program="true"></p></body>');
  expect(deferScripts(told)).not.toMatch(/<script src="[^"]*" [^>]*async/);
});
