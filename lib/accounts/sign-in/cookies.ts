/** Cookies of members. All are HttpOnly, for this host alone, and not sent with requests from other sites. */
export type Cookies = Readonly<{
  read: (header: string | null, name: string) => string | null;
  /** The value of a Set-Cookie header. */
  write: (name: string, value: string, maxAgeSeconds: number) => string;
  clear: (name: string) => string;
}>;

/** RFC 6265bis §4.1.3.2: `__Host-` cookies come from this host over https, never from a sibling domain. */
export function createCookies(siteUrl: string): Cookies {
  const isHttps = siteUrl.startsWith('https:');
  const prefix = isHttps ? '__Host-' : '';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
  const write: Cookies['write'] = (name, value, maxAgeSeconds) =>
    `${prefix}${name}=${value}; Max-Age=${maxAgeSeconds}; ${attributes}`;
  return {
    read(header, name) {
      const start = `${prefix}${name}=`;
      const pair = (header ?? '').split(/; */).find((part) => part.startsWith(start));
      return pair?.slice(start.length) ?? null;
    },
    write,
    clear: (name) => write(name, '', 0),
  };
}

/** Carries a new key from the form that made it to the page that shows it, once. */
export type NewKeyCookie = Readonly<{
  write: (keyText: string) => string;
  read: (header: string | null) => string | null;
  /** The value of a Set-Cookie header that removes it; null if a request has none. */
  clear: (header: string | null) => string | null;
}>;

const newKeyName = 'marquee-new-key';
/** Long enough for a redirect. */
const newKeySeconds = 60;

/** Of the page that shows a new key: of pages with 200, Chromium’s Back restores even those with `no-store`. */
export const newKeyStatus = 201;

export function createNewKeyCookie(cookies: Cookies): NewKeyCookie {
  const read = (header: string | null) => cookies.read(header, newKeyName);
  return {
    write: (keyText) => cookies.write(newKeyName, keyText, newKeySeconds),
    read,
    clear: (header) => (read(header) === null ? null : cookies.clear(newKeyName)),
  };
}
