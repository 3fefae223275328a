import { timingSafeEqual } from 'node:crypto';
import type { KeyHasher } from '#lib/keys/key-text.ts';

export type MailTokens = Readonly<{
  /** The token of a link in a mail. */
  issue: (purpose: Purpose, id: string) => string;
  /** The id in a token; null if it is not ours. */
  read: (purpose: Purpose, token: string) => string | null;
}>;

/** `confirm`: the link of a confirmation; `manage`: changes and stops a subscription. */
type Purpose = 'confirm' | 'manage';

const format = /^([A-Za-z0-9]{16})([\w-]{43})$/;

/**
 * Tokens are an id and its keyed hash: none is stored, and who reads the database can make none.
 * @param hashers of the current pepper, then of the previous one, with which old mails go on working.
 */
export function createMailTokens(hashers: () => readonly KeyHasher[]): MailTokens {
  const toText = (purpose: Purpose, id: string) => `mail ${purpose} ${id}`;
  return {
    issue(purpose, id) {
      const [hash] = hashers();
      if (hash === undefined) throw new TypeError('There is no pepper.');
      return id + hash(toText(purpose, id));
    },
    read(purpose, token) {
      const [, id = '', sent = ''] = format.exec(token) ?? [];
      if (id === '') return null;
      const isOurs = hashers().some((hash) => isSame(hash(toText(purpose, id)), sent));
      return isOurs ? id : null;
    },
  };
}

function isSame(hash: string, other: string): boolean {
  const [a, b] = [Buffer.from(hash), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
