import type { LostKey } from '#lib/accounts/account/account.ts';
import { Moment } from './words.tsx';

const reasons: Readonly<Record<LostKey['how'], string>> = {
  'key.leaked': 'GitHub found it in a public place, and it was revoked',
  'key.given-up': 'somebody who has it revoked it',
};

/** Keys that were revoked because others know them. */
export function LostKeys({ keys }: Readonly<{ keys: readonly LostKey[] }>) {
  return keys.map(({ id, name, at, how }) => (
    <p key={id} className="notice notice-wrong">
      Your key “{name}” no longer works: {reasons[how]}, <Moment timeMs={at} />. Remove it wherever
      you use it, check your usage below, and create another one.
    </p>
  ));
}
