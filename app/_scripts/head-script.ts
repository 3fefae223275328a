import { showFirstScreenFirst } from './first-screen.ts';
import { waitForTypefaces } from './typefaces.ts';

/**
 * What runs in the head of every page, before anything is painted and long before the client program
 * is there: the scheme that the visitor chose, the typefaces, the poster that grows into its page, and
 * buttons that work at the first touch.
 */
export const headScript = [runInHead, waitForTypefaces, showFirstScreenFirst]
  .map((run) => `(${run.toString()})();`)
  .join('');

// Sent to the browser as text, so nothing outside it may be used.
function runInHead(): void {
  const root = document.documentElement;
  try {
    const scheme = localStorage.getItem('scheme');
    if (scheme === 'light' || scheme === 'dark') root.dataset.scheme = scheme;
  } catch {
    // Storage is switched off.
  }

  const switchScheme = () => {
    const isDark = root.dataset.scheme
      ? root.dataset.scheme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.scheme = isDark ? 'light' : 'dark';
    try {
      localStorage.setItem('scheme', root.dataset.scheme);
    } catch {
      // It lasts as long as this page does.
    }
  };

  const say = (button: HTMLElement, words: string, state: string) => {
    const status = document.querySelector('[data-said]');
    if (status) status.textContent = words;
    button.dataset.state = state;
    setTimeout(() => {
      delete button.dataset.state;
      if (status) status.textContent = '';
    }, 2_000);
  };

  const copy = (button: HTMLElement, text: string) => {
    const whole = text.startsWith('/') ? new URL(text, location.href).href : text;
    const copied = navigator.clipboard
      ? navigator.clipboard.writeText(whole)
      : Promise.reject(new Error('There is no clipboard.'));
    copied.then(
      () => say(button, 'Copied', 'copied'),
      () => say(button, 'The browser does not let this page copy', 'failed'),
    );
  };

  const share = (button: HTMLElement) => {
    const url = location.origin + location.pathname;
    // Rejected where the visitor thinks better of it.
    if (navigator.share) navigator.share({ title: document.title, url }).catch(() => {});
    else copy(button, url);
  };

  const press = ({ target }: MouseEvent) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button === null) return;
    if (button.dataset.does === 'switch-scheme') switchScheme();
    if (button.dataset.does === 'share') share(button);
    if (button.dataset.copy !== undefined) copy(button, button.dataset.copy);
  };
  // On the way down: while React takes a page over it keeps clicks to itself that it cannot answer yet.
  addEventListener('click', press, { capture: true });

  // Only the poster between the two pages has a name in the transition: naming them all would make the
  // browser take a picture of each.
  const name = (element: HTMLElement | null, value: string) => {
    if (element) element.style.viewTransitionName = value;
  };
  const findCard = (address: string | null | undefined): HTMLElement | null => {
    const path = address ? new URL(address).pathname : '';
    if (!path.startsWith('/events/')) return null;
    const link = document.querySelector(`.poster-card h3 a[href="${CSS.escape(path)}"]`);
    return link?.closest<HTMLElement>('.poster-card') ?? null;
  };
  const follow = (transition: ViewTransition | null, address: string | null | undefined) => {
    const card = transition ? findCard(address) : null;
    if (transition === null || card === null) return;
    const own = document.querySelector<HTMLElement>('.event-poster');
    name(own, 'none');
    name(card, 'poster');
    transition.finished.finally(() => {
      name(own, '');
      name(card, '');
    });
  };
  addEventListener('pageswap', (event) => {
    follow(event.viewTransition, event.activation?.entry.url);
  });
  addEventListener('pagereveal', (event) => {
    follow(event.viewTransition, window.navigation?.activation?.from?.url);
  });
}
