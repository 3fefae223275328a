/**
 * A phone shows one poster of the wall before anyone scrolls, but would lay out four before it shows anything.
 * Whoever comes from elsewhere sees the first screen first; the posters below it follow one by one, in
 * turns of their own. Their places are as high as they will be, so nothing moves.
 */
// Sent to the browser as text, so nothing outside it may be used.
export function showFirstScreenFirst(): void {
  const { dataset } = document.documentElement;
  const [entry] = performance.getEntriesByType('navigation');
  // From our own pages a poster may be growing back into its place, and a page seen before may be scrolled.
  const isOpened = entry instanceof PerformanceNavigationTiming && entry.type === 'navigate';
  if (!isOpened || document.referrer.startsWith(`${location.origin}/`)) return;

  let posters = 1;
  const showRest = () => {
    posters += 1;
    if (posters > 3) {
      delete dataset.posters;
      return;
    }
    dataset.posters = String(posters);
    requestAnimationFrame(() => setTimeout(showRest));
  };
  const begin = () => {
    if (posters === 1) showRest();
  };
  dataset.posters = String(posters);
  // Some browsers keep to themselves when they have painted.
  addEventListener('load', () => setTimeout(begin, 500));
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) begin();
  }).observe({ type: 'paint', buffered: true });
}
