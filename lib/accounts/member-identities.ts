import { createKeyHasher } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import type { Member } from './store/member-record.ts';

/** Keyed hashes of issuer and subject, with the current pepper first, and with the previous one. */
export type ToIdentities = (member: Pick<Member, 'issuer' | 'subject'>) => readonly string[];

type IdentitySettings = Readonly<{
  keys: Readonly<{ pepper: string | null; previousPepper: string | null }>;
  storage: Readonly<{ dataDir: string }>;
}>;

/** The pepper is loaded at first use: a site that has no members yet needs none. */
export function createIdentities({ keys, storage }: IdentitySettings): ToIdentities {
  const { pepper: keyPepper, previousPepper } = keys;
  return ({ issuer, subject }) => {
    const peppers = [loadPepper({ keyPepper, dataDir: storage.dataDir }), previousPepper];
    return peppers
      .filter((pepper) => pepper !== null)
      .map((pepper) => createKeyHasher(pepper)(`member ${JSON.stringify([issuer, subject])}`));
  };
}
