import type { Member } from '#lib/storage/member-store.ts';

/** Creates somebody who has signed in. */
export function makeMember(
  overrides: Partial<Omit<Member, 'disabledAt'>> = {},
): Omit<Member, 'disabledAt'> {
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
