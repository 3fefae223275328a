import type { Element, Nodes } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { h } from 'hastscript';
import type { Root } from 'mdast';
import { toHast } from 'mdast-util-to-hast';
import { writePlainText } from '#lib/representations/markdown/safe/plain-text.ts';

/** What somebody reads. */
export type MailText = Readonly<{ subject: string; text: string; html: string }>;

/**
 * No background of its own: with `color-scheme`, each program shows its own light or dark one. Inside a mail, class
 * names and custom properties do not survive everywhere. What a mail asks for, the link after its first words, is a
 * button.
 */
const style = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
body { margin: 0; padding: 24px 16px; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main { max-width: 36em; margin: 0 auto; padding-top: 20px; border-top: 6px solid #ffc21a; overflow-wrap: anywhere }
h1 { font-size: 24px; line-height: 1.2; margin: 0 0 16px }
h2 { font-size: 18px; line-height: 1.3; margin: 32px 0 0 }
h3 { font-size: 16px; line-height: 1.4; margin: 20px 0 0 }
p { margin: 4px 0 12px }
a { color: #0b57d0 }
@media (prefers-color-scheme: dark) { a { color: #a8c7fa } }
h1 + p + p > a, h1 + ul + p > a { display: inline-block; padding: 10px 16px; border-radius: 3px; background: #ffc21a; color: #191300; font-weight: bold; text-decoration: none }
`;

/** Writes one tree as plain text and as HTML. No pictures: nothing tells who has opened a mail. */
export function renderMail(subject: string, tree: Root): MailText {
  const page = h('html', { lang: 'en' }, [
    h('head', [
      h('meta', { charSet: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
      h('title', subject),
      h('style', style),
    ]),
    h('body', h('main', toBlocks(tree))),
  ]);
  const html = toHtml({ type: 'root', children: [{ type: 'doctype' }, page] });
  return { subject, text: writePlainText(tree), html };
}

/** Each block has the direction of its own first letters. */
function toBlocks(tree: Root): Nodes[] {
  const page = toHast(tree);
  if (page.type !== 'root') return [page];
  for (const child of page.children) if (child.type === 'element') setDirection(child);
  return page.children;
}

function setDirection(element: Element): void {
  element.properties.dir = 'auto';
  for (const child of element.children) if (child.type === 'element') setDirection(child);
}
