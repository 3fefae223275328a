/** Who a setting admits. */
export type AccessRule =
  | Readonly<{ kind: 'everyone' }>
  | Readonly<{ kind: 'domain' | 'address'; value: string }>
  | Readonly<{ kind: 'claim'; name: string; value: string }>;

const domain = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const claim = /^([^\s=,@]{1,200})=([^\s,][^,]{0,199})$/;

/** Reads `*`, domains, e-mail addresses and `claim=value`, separated by commas; null if one is none of them. */
export function parseAccessRules(text: string): AccessRule[] | null {
  const rules = text.split(',').map((part) => parseRule(part.trim()));
  return rules.every((rule) => rule !== null) ? rules : null;
}

function parseRule(text: string): AccessRule | null {
  if (text === '*') return { kind: 'everyone' };
  const [, name, value] = claim.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return { kind: 'claim', name, value };
  const lower = text.toLowerCase();
  if (domain.test(lower)) return { kind: 'domain', value: lower };
  const [user, host, ...rest] = lower.split('@');
  const isAddress = /^[^\s@]{1,64}$/.test(user ?? '') && domain.test(host ?? '');
  return isAddress && rest.length === 0 ? { kind: 'address', value: lower } : null;
}
