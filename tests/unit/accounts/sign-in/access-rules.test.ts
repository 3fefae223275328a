import { expect, test } from 'vitest';
import { isAdmitted, pickClaims } from '#lib/accounts/sign-in/access-rules.ts';
import { parseAccessRules } from '#lib/config/setting-schemas.ts';

const rules = (text: string) => parseAccessRules(text) ?? [];
const person = (email: string | null, claims = {}) => ({ email, claims });

test.each([
  ['makers.example', 'ada@makers.example', true],
  ['makers.example', 'Ada@Makers.Example', true],
  ['makers.example', 'ada@evil-makers.example', false],
  ['makers.example', 'ada@makers.example.evil.example', false],
  ['makers.example', 'ada@sub.makers.example', false],
  ['ada@makers.example', 'ada@makers.example', true],
  ['ada@makers.example', 'adam@makers.example', false],
  ['other.example, ada@makers.example', 'ada@makers.example', true],
  ['*', null, true],
  ['makers.example', null, false],
  // The Kelvin sign, which is a k in lower case.
  ['kim@makers.example', '\u212aim@makers.example', false],
  ['makers.example', 'ada@ma\u212aers.example', false],
  ['*', '\u212aim@makers.example', true],
  ['bars.example', 'bars.example', false],
  ['bars.example', '@bars.example', false],
  ['bars.example', 'x@evil,y@bars.example', false],
  ['bars.example', 'x@evil@bars.example', false],
  ['bars.example', 'x y@bars.example', false],
  ['bars.example', 'x\n@bars.example', false],
  ['bars.example', 'x@bars.example\n', false],
  ['bars.example', 'j\u00f6rg@bars.example', false],
])('%s admits %s: %s', (text, email, expected) => {
  expect(isAdmitted(rules(text), person(email))).toBe(expected);
});

test.each([
  ['groups~=staff', 'members staff', true],
  ['groups~=staff', 'members, staff', true],
  ['groups~=staff', 'members,staff,', true],
  ['groups~=staff', ['members', 'staff'], true],
  ['groups~=staff', 'members staffs', false],
  ['groups~=staff', 'non-staff', false],
  ['groups=staff', 'former staff', false],
  ['groups=former staff', 'former staff', true],
  ['realm.groups~=staff', 'members staff', false],
])('%s admits the groups %j: %s', (text, groups, expected) => {
  const claims = pickClaims(rules(text), { groups });
  expect(isAdmitted(rules(text), person(null, claims))).toBe(expected);
});

test('a claim admits by any of its values, and no rule admits nobody', () => {
  const staff = rules('groups=staff');
  expect(isAdmitted(staff, person(null, { groups: ['members', 'staff'] }))).toBe(true);
  expect(isAdmitted(staff, person(null, { groups: ['staffs'] }))).toBe(false);
  expect(isAdmitted(staff, person(null, { constructor: ['staff'] }))).toBe(false);
  expect(isAdmitted([], person('ada@makers.example', { groups: ['staff'] }))).toBe(false);
});

test.each(['', 'makers', '@makers.example', 'a@b@c.example', '=x', 'groups=', 'a b.example', 'x,'])(
  'the rule %j is invalid',
  (text) => {
    expect(parseAccessRules(text)).toBeNull();
  },
);

test('a claim admits somebody whose address is unusable', () => {
  const staff = rules('groups=staff');
  expect(isAdmitted(staff, person('x@evil@y', { groups: ['staff'] }))).toBe(true);
});

test('only claims that rules name are stored, as lists of texts', () => {
  const given = { groups: ['staff', 7, { a: 1 }], active: true, address: 'Elm Street' };
  expect(pickClaims(rules('groups=staff,active=true,tier=gold'), given)).toEqual({
    groups: ['staff', '7'],
    active: ['true'],
    tier: [],
  });
});

test.each([
  ['realm_access.roles=member', { realm_access: { roles: ['offline_access', 'member'] } }],
  [
    'resource_access.marquee.roles=Team Lead',
    { resource_access: { marquee: { roles: ['Team Lead'] } } },
  ],
  // The client’s own id has a point.
  [
    'resource_access.events.example.roles=a',
    { resource_access: { 'events.example': { roles: 'a' } } },
  ],
  ['https://example.org/groups=staff', { 'https://example.org/groups': ['staff'] }],
  ['https://example.org/app.roles=staff', { 'https://example.org/app': { roles: ['staff'] } }],
  ['a.b=exact', { 'a.b': 'exact', a: { b: 'other' } }],
  [
    'urn:zitadel:iam:org:project:roles=admin',
    { 'urn:zitadel:iam:org:project:roles': { admin: { '1': 'x.example' } } },
  ],
  ['groups=/makers/Team Lead', { groups: '/makers/Team Lead' }],
  ['groups=group-499', { groups: Array.from({ length: 500 }, (_, index) => `group-${index}`) }],
])('the rule %s finds a claim within others, as text, list or object', (text, claims) => {
  expect(isAdmitted(rules(text), person(null, pickClaims(rules(text), claims)))).toBe(true);
});

test.each([
  ['realm_access.roles=member', { realm_access: ['roles'] }],
  ['realm_access.roles=member', { realm_access: { roles: ['Member', 'member ', 'members'] } }],
  ['a.constructor.name=Object', { a: {} }],
  ['groups=staff', { groups: [{ staff: true }, ['staff']] }],
  ['groups=a', { groups: 'a b' }],
])('the rule %s does not admit %j', (text, claims) => {
  expect(isAdmitted(rules(text), person(null, pickClaims(rules(text), claims)))).toBe(false);
});
