import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { moveStyles, replaceNonce } from '#lib/server/rendering/render-page.ts';

const nonce = '0123456789abcdef0123456789abcdef';
const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('styles stand behind the title and metadata, and nothing in the body moves', () => {
  const style = (css: string) => `<style data-precedence="next" data-href="/a.css">${css}</style>`;
  const body = `<body>${style('p{}')}<style>q{}</style></body>`;
  const page = `<head><meta charSet="utf-8"/>${style('a > b{}')}<style>c{}</style>${style('d{}')}<title>$& T</title></head>${body}`;
  expect(moveStyles(page)).toBe(
    `<head><meta charSet="utf-8"/><style>c{}</style><title>$& T</title>${style('a > b{}')}${style('d{}')}</head>${body}`,
  );
  expect(moveStyles('no page')).toBe('no page');
});

test('inline scripts with the nonce are allowed by their hashes, once each', () => {
  const rendered = `<script nonce="${nonce}">one()</script><p>x</p><script id="a" nonce="${nonce}" defer>
two()
</script><script nonce="${nonce}">one()</script>`;
  expect(replaceNonce(rendered, nonce).scriptSources).toEqual([
    sourceOf('one()'),
    sourceOf('\ntwo()\n'),
  ]);
});

test.for([
  ['a script without a nonce', '<script>evil()</script>'],
  ['a script with another nonce', '<script nonce="cached">evil()</script>'],
  ['a script that claims the replacement', '<script nonce="">evil()</script>'],
  ['data that no browser runs', '<script type="application/ld+json">{}</script>'],
  ['a file', `<script src="/a.js" nonce="${nonce}"></script>`],
])('%s gets no hash', ([, injected]) => {
  const own = `<script nonce="${nonce}">own()</script>`;
  for (const rendered of [injected + own, own + injected]) {
    expect(replaceNonce(rendered, nonce).scriptSources).toEqual([sourceOf('own()')]);
  }
});

// ASVS 1.2.3
test('an unclosed script before one of ours does not get its permission', () => {
  const rendered = `<script>evil();<script nonce="${nonce}">own()</script>`;
  expect(replaceNonce(rendered, nonce).scriptSources).toEqual([sourceOf('own()')]);
});

test('the nonce is nowhere in the page, and two renders give the same page', () => {
  const render = (nonce: string) =>
    replaceNonce(
      `<script nonce="${nonce}">data("nonce",\\"${nonce}\\")</script><link nonce="${nonce}">`,
      nonce,
    );
  const first = render(nonce);
  expect(first.html).not.toContain(nonce);
  expect(render('f'.repeat(32))).toEqual(first);
});
