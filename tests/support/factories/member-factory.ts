import type { MemberProfile } from '#lib/accounts/store/member-record.ts';
import type { KeyOwner } from '#lib/keys/store/key-record.ts';

/** Creates somebody who has signed in. */
export function makeMember(overrides: Partial<MemberProfile> = {}): MemberProfile {
  return {
    id: 'mbr_ada',
    issuer: 'https://id.example',
    subject: 'ada',
    name: 'Ada Moreno',
    email: 'ada@makers.example',
    claims: {},
    createdAt: Date.parse('2026-03-10T12:00:00Z'),
    confirmedAt: Date.parse('2026-03-10T12:00:00Z'),
    ...overrides,
  };
}

/** Creates the owner of a key. */
export function makeKeyOwner(overrides: Partial<KeyOwner> = {}): KeyOwner {
  return {
    id: 'mbr_ada',
    email: null,
    claims: {},
    isDisabled: false,
    confirmedAt: 0,
    budget: null,
    group: null,
    ...overrides,
  };
}
