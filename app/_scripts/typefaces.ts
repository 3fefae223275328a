/**
 * Typefaces come after the first showing: on a slow line, 160 kB of them would keep words and pictures
 * waiting. The first page that somebody opens is shown in a face that the machine has; once it stands it runs
 * `setTypefaces`. From the second page on they are there before the first paint. Without scripts they come
 * with the styles.
 */
// This and the next one are sent to the browser as text, so nothing outside them may be used.
export function waitForTypefaces(): void {
  const setAfterMs = 400;
  let isHere = false;
  try {
    isHere = localStorage.getItem('typefaces') === 'here';
  } catch {
    // Storage is switched off: every page is a first page.
  }
  if (isHere) return;
  document.documentElement.dataset.type = 'waiting';
  addEventListener('load', () => {
    setTimeout(() => {
      document.head.append(
        Object.assign(document.createElement('script'), { src: '/scripts/typefaces.js' }),
      );
    }, setAfterMs);
  });
}

/**
 * Fetches the typefaces. Headings change over as soon as they can, each only if nothing moves by it; all
 * the rest when somebody types or chooses, since what is drawn anew must look like what is there.
 */
export function setTypefaces(): void {
  const families = ['text', 'display', 'mono'];

  const isOurs = (family: string) => families.includes(family.replaceAll('"', ''));

  const findFiles = () => {
    const files: string[] = [];
    for (const { cssRules } of document.styleSheets) {
      for (const rule of cssRules) {
        if (!(rule instanceof CSSFontFaceRule) || !isOurs(rule.style.fontFamily)) continue;
        const file = /url\("?([^")]+)/.exec(rule.style.getPropertyValue('src'))?.[1];
        if (file) files.push(file);
      }
    }
    return files;
  };

  /** Sets a heading; one that is seen only if its own size and its neighbour stay as they are. */
  const set = (heading: HTMLElement) => {
    const measure = () => {
      const { height } = heading.getBoundingClientRect();
      const next = heading.nextElementSibling?.getBoundingClientRect();
      return [height, next?.left, next?.top].map((px = 0) => Math.round(px * 10)).join();
    };
    const { top, bottom } = heading.getBoundingClientRect();
    const isSeen = bottom > 0 && top < innerHeight;
    const before = isSeen && measure();
    heading.dataset.type = 'set';
    if (isSeen && measure() !== before) delete heading.dataset.type;
  };

  /** Sets headings as they come near, so that no time is spent on what nobody reads; each in a turn of its own. */
  const setHeadings = () => {
    const waiting: HTMLElement[] = [];
    const setNext = () => {
      const heading = waiting.shift();
      if (heading === undefined) return;
      set(heading);
      setTimeout(setNext);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        const near = entries.filter(({ isIntersecting }) => isIntersecting);
        for (const { target } of near) observer.unobserve(target);
        waiting.push(...near.map(({ target }) => target as HTMLElement));
        setTimeout(setNext);
      },
      { rootMargin: '50%' },
    );
    for (const heading of document.querySelectorAll('h1, h2, h3, h4, .site-name, .page-code')) {
      observer.observe(heading);
    }
  };

  const fetchFaces = async () => {
    const files = await Promise.all(findFiles().map((file) => fetch(file, { priority: 'low' })));
    if (files.length === 0 || files.some(({ ok }) => !ok)) return;
    await Promise.all(files.map((file) => file.arrayBuffer()));
    localStorage.setItem('typefaces', 'here');
    const faces = [...document.fonts].filter(({ family }) => isOurs(family));
    await Promise.all(faces.map((face) => face.load()));
    setHeadings();
    const setAll = () => delete document.documentElement.dataset.type;
    addEventListener('input', setAll, { once: true });
  };

  // Where it fails, the page stays as it is.
  fetchFaces().catch(() => {});
}
