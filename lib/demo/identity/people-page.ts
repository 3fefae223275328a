import type { ElementContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { h } from 'hastscript';

const style = `
body { font: 1.0625rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 14vh auto; padding: 0 1.5rem }
form { display: grid; gap: .75rem }
button { padding: .75rem 1rem; border: 2px solid; border-radius: 3px; background: none; color: inherit; font: inherit; text-align: start; cursor: pointer }
button:hover { background: #ffc21a; color: #191300 }
`;

/** The page of the demo's provider: a button for each person. */
export function toPeoplePage(
  people: readonly Readonly<{ subject: string; name: string }>[],
): string {
  return toPage('Who are you?', [
    h('p', 'This is the demo’s sign-in. A real site uses its own.'),
    h('form', { method: 'post' }, [
      ...people.map(({ subject, name }) => h('button', { name: 'person', value: subject }, name)),
      h('button', { name: 'person', value: '' }, 'Nobody'),
    ]),
  ]);
}

/** @param form of oidc-provider, with the id `op.logoutForm`. */
export function toSignOutPage(form: string): string {
  const button = { form: 'op.logoutForm', name: 'logout', value: 'yes' };
  const page = toPage('Sign out here, too?', [h('p', [h('button', button, 'Sign out')])]);
  return page.replace('</body>', () => `${form}</body>`);
}

function toPage(title: string, content: ElementContent[]): string {
  return `<!doctype html>${toHtml(
    h('html', { lang: 'en' }, [
      h('head', [
        h('meta', { charSet: 'utf-8' }),
        h('meta', { name: 'viewport', content: 'width=device-width' }),
        h('meta', { name: 'color-scheme', content: 'light dark' }),
        h('link', { rel: 'icon', href: 'data:,' }),
        h('title', title),
        h('style', style),
      ]),
      h('body', [h('h1', title), ...content]),
    ]),
  )}`;
}
