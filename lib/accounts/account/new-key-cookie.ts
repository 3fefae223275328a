import type { Cookies } from '../sign-in/cookies.ts';

/** Carries a new key from the form that made it to the page that shows it, once. */
export type NewKeyCookie = Readonly<{
  write: (keyText: string) => string;
  read: (header: string | null) => string | null;
  /** The value of a Set-Cookie header that removes it; null if a request has none. */
  clear: (header: string | null) => string | null;
}>;

const name = 'marquee-new-key';
/** Long enough for a redirect. */
const maxAgeSeconds = 60;

export function createNewKeyCookie(cookies: Cookies): NewKeyCookie {
  const read = (header: string | null) => cookies.read(header, name);
  return {
    write: (keyText) => cookies.write(name, keyText, maxAgeSeconds),
    read,
    clear: (header) => (read(header) === null ? null : cookies.clear(name)),
  };
}
