/** A browser without scripts: follows redirects, keeps cookies by host, and sends forms. */
export type TestBrowser = Readonly<{
  open: (url: string, init?: RequestInit) => Promise<Page>;
  /** Sends a form of a page, with its hidden fields. */
  submit: (page: Page, action: string, fields?: Readonly<Record<string, string>>) => Promise<Page>;
  cookies: Map<string, string>;
}>;

export type Page = Readonly<{ url: string; status: number; text: string; headers: Headers }>;

const redirectsMax = 10;
let browsers = 0;

/** @param hosts origins → the servers that stand for them. */
export function createTestBrowser(hosts: Readonly<Record<string, string>> = {}): TestBrowser {
  const cookies = new Map<string, string>();
  browsers += 1;
  // With TRUST_PROXY=1 each browser has an address of its own: sign-ins are limited for each.
  const address = `10.0.${Math.floor(browsers / 250)}.${browsers % 250}`;

  async function open(url: string, init: RequestInit = {}): Promise<Page> {
    let [location, options] = [new URL(url), init];
    for (let count = 0; count < redirectsMax; count += 1) {
      const base = hosts[location.origin] ?? location.origin;
      const headers = new Headers(options.headers);
      headers.set('cookie', toHeader(cookies, location));
      headers.set('x-forwarded-for', address);
      const target = base + location.pathname + location.search;
      const response = await fetch(target, { ...options, headers, redirect: 'manual' });
      for (const cookie of response.headers.getSetCookie()) store(cookies, location.host, cookie);
      const next = response.headers.get('location');
      if (next === null) {
        const { status, headers } = response;
        return { url: location.href, status, text: await response.text(), headers };
      }
      await response.body?.cancel();
      [location, options] = [new URL(next, location), {}];
    }
    throw new Error(`Too many redirects from ${url}.`);
  }

  return {
    cookies,
    open,
    submit(page, action, fields = {}) {
      const token = /name="token" value="([^"]*)"/.exec(page.text)?.[1];
      const { origin } = new URL(page.url);
      const body = new URLSearchParams({ ...(token !== undefined && { token }), ...fields });
      return open(new URL(action, page.url).href, { method: 'POST', body, headers: { origin } });
    },
  };
}

/** Keys are host and name, and the path unless it is that of the whole site. */
function toHeader(cookies: ReadonlyMap<string, string>, { host, pathname }: URL): string {
  return [...cookies]
    .flatMap(([key, value]) => {
      const [site, name, path = '/'] = key.split(' ');
      return site === host && pathname.startsWith(path) ? `${name}=${value}` : [];
    })
    .join('; ');
}

function store(cookies: Map<string, string>, host: string, header: string): void {
  const [pair = '', ...attributes] = header.split(/; */);
  const path =
    attributes.find((attribute) => /^path=/i.test(attribute))?.slice('path='.length) ?? '/';
  const key = [host, pair.slice(0, pair.indexOf('=')), ...(path === '/' ? [] : [path])].join(' ');
  const isGone = attributes.some((attribute) =>
    /^(?:max-age=0|expires=Thu, 01 Jan 1970)/i.test(attribute),
  );
  if (isGone) cookies.delete(key);
  else cookies.set(key, pair.slice(pair.indexOf('=') + 1));
}
