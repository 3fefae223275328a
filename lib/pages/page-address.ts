/** What a page's address leads to. */
export type PageAddress =
  | Readonly<{ kind: 'directory' }>
  | Readonly<{ kind: 'event'; slug: string }>
  | Readonly<{ kind: 'docs'; name: string }>
  | Readonly<{ kind: 'models' }>
  | Readonly<{ kind: 'unknown' }>;

/** Reads the address of a page, in either form of it, from its decoded segments. */
export function toPageAddress([area, name, ...rest]: readonly string[]): PageAddress {
  if (area === undefined) return { kind: 'directory' };
  if (area === 'models' && name === undefined) return { kind: 'models' };
  if (area === 'docs') {
    return { kind: 'docs', name: [name, ...rest].filter((part) => part !== undefined).join('/') };
  }
  const isEvent = area === 'events' && name !== undefined && rest.length === 0;
  return isEvent ? { kind: 'event', slug: name } : { kind: 'unknown' };
}
