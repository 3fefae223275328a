import type { ElementContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { h } from 'hastscript';

const baseStyle = `
body { font: 1.0625rem/1.5 system-ui, sans-serif; padding: 0 1.5rem }`;

type DemoPage = Readonly<{ title: string; style: string; content: readonly ElementContent[] }>;

/** A page of the demo's own servers, which stand for services outside of Marquee. */
export function toDemoPage({ title, style, content }: DemoPage): string {
  const page = h('html', { lang: 'en' }, [
    h('head', [
      h('meta', { charSet: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('link', { rel: 'icon', href: 'data:,' }),
      h('title', title),
      h('style', baseStyle + style),
    ]),
    h('body', [h('h1', title), ...content]),
  ]);
  return toHtml({ type: 'root', children: [{ type: 'doctype' }, page] });
}
