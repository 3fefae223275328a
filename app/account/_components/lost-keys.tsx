import type { LostKey } from '#lib/accounts/account/account.ts';
import { Moment } from './words.tsx';

const reasons: Readonly<Record<LostKey['how'], string>> = {
  'key.leaked': 'GitHub found it in a public place, so it was revoked',
  'key.given-up': 'somebody who has it sent it to be revoked',
};

/** Keys that were revoked since others know them. */
export function LostKeys({ keys }: Readonly<{ keys: readonly LostKey[] }>) {
  return keys.map(({ id, name, at, how }) => (
    <p key={id} className="notice notice-wrong">
      Your key “{name}” does not work any more: {reasons[how]}, <Moment timeMs={at} />. Remove it
      wherever it is written, check your usage below, and create another one.
    </p>
  ));
}
