import { toHtml } from 'hast-util-to-html';
import { h } from 'hastscript';
import type { ReceivedMail } from './read-mail.ts';

const style = `
body { font: 1.0625rem/1.5 system-ui, sans-serif; max-width: 52rem; margin: 3rem auto; padding: 0 1.5rem }
article { margin-top: 2rem; border-top: 1px solid; padding-top: 1rem }
h2 { margin: 0; font-size: 1.25rem }
iframe { width: 100%; height: 26rem; border: 1px solid; color-scheme: light dark }
pre { white-space: pre-wrap; overflow-wrap: anywhere }
`;

/** All mails, the newest first. */
export function toInboxPage(mails: readonly ReceivedMail[]): string {
  const title = 'Mails of the demo';
  const page = h('html', { lang: 'en' }, [
    h('head', [
      h('meta', { charSet: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('link', { rel: 'icon', href: 'data:,' }),
      h('title', title),
      h('style', style),
    ]),
    h('body', [
      h('h1', title),
      h('p', 'They go nowhere else. Reload this page to see new ones.'),
      ...(mails.length === 0 ? [h('p', 'None yet.')] : mails.map(toArticle)),
    ]),
  ]);
  return toHtml({ type: 'root', children: [{ type: 'doctype' }, page] });
}

function toArticle(
  { subject, to, receivedAt, text }: ReceivedMail,
  index: number,
  mails: readonly ReceivedMail[],
) {
  const src = `/${mails.length - 1 - index}.html`;
  return h('article', [
    h('h2', h('a', { href: src }, subject)),
    h('p', `To ${to}, at ${receivedAt.toISOString().slice(11, 19)} (UTC)`),
    h('iframe', { src, title: subject }),
    h('details', [h('summary', 'As text'), h('pre', text)]),
  ]);
}
