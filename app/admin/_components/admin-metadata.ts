import type { Metadata } from 'next';

/** Metadata of an admin page, which no search engine lists. */
export function toAdminMetadata(title: string): Metadata {
  return { title: `${title} · Admin`, robots: { index: false } };
}
