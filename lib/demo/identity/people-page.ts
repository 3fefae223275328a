import { h } from 'hastscript';
import { toDemoPage } from '../demo-page.ts';

const style = `
body { max-width: 26rem; margin: 14vh auto }
form { display: grid; gap: .75rem }
button { padding: .75rem 1rem; border: 2px solid; border-radius: 3px; background: none; color: inherit; font: inherit; text-align: start; cursor: pointer }
button:hover { background: #ffc21a; color: #191300 }
`;

/** The page of the demo's provider: a button for each person. */
export function toPeoplePage(
  people: readonly Readonly<{ subject: string; name: string }>[],
): string {
  return toDemoPage({
    title: 'Who are you?',
    style,
    content: [
      h('p', 'This is the demo’s sign-in. A real site uses its own.'),
      h('form', { method: 'post' }, [
        ...people.map(({ subject, name }) => h('button', { name: 'person', value: subject }, name)),
        h('button', { name: 'person', value: '' }, 'Nobody'),
      ]),
    ],
  });
}

/** @param form of oidc-provider, with the id `op.logoutForm`. */
export function toSignOutPage(form: string): string {
  const button = { form: 'op.logoutForm', name: 'logout', value: 'yes' };
  const content = [h('p', [h('button', button, 'Sign out')])];
  const page = toDemoPage({ title: 'Sign out here, too?', style, content });
  return page.replace('</body>', () => `${form}</body>`);
}
