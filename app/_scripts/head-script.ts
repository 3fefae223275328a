/**
 * Runs in the head, before anything is painted. It takes up the scheme that the visitor chose, and names
 * the one poster that grows from a card into an event's page, or shrinks back: naming them all would
 * make the browser take a picture of each.
 */
export const headScript = `(() => {
  const root = document.documentElement;
  try {
    const scheme = localStorage.getItem('scheme');
    if (scheme === 'light' || scheme === 'dark') root.dataset.scheme = scheme;
  } catch {}
  const name = (element, value) => {
    if (element) element.style.viewTransitionName = value;
  };
  const findCard = (address) => {
    const path = address && new URL(address).pathname;
    if (!path || !path.startsWith('/events/')) return null;
    const link = document.querySelector('[data-event-id] h3 a[href="' + CSS.escape(path) + '"]');
    return link && link.closest('[data-event-id]');
  };
  const follow = (transition, card) => {
    if (!transition || !card) return;
    const own = document.querySelector('.event-poster');
    name(own, 'none');
    name(card, 'poster');
    transition.finished.finally(() => {
      name(own, '');
      name(card, '');
    });
  };
  addEventListener('pageswap', (event) => {
    follow(event.viewTransition, findCard(event.activation?.entry.url));
  });
  addEventListener('pagereveal', (event) => {
    follow(event.viewTransition, findCard(window.navigation?.activation?.from?.url));
  });
})();`;
