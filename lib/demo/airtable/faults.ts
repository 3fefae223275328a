/** Occurs in every text that a fault sends, so that tests can prove that none of it leaks. */
export const faultCanary = 'xyzzy-upstream-canary';

/** Ways in which a 200 with valid JSON can have the wrong schema. */
export const wrongSchemaVariants = [
  'records-text',
  'records-missing',
  'records-object',
  'offset-number',
  'offset-endless',
  'array',
  'text',
  'number',
  'null',
  'error-in-200',
  'empty-body',
] as const;

export type WrongSchemaVariant = (typeof wrongSchemaVariants)[number];

/** Which requests a fault applies to. */
type FaultScope = {
  /** The table's records (default) or the attachments. */
  readonly on?: 'records' | 'attachments';
  /** Only after this many pages of a read: 1 lets the first page through. */
  readonly afterPages?: number;
  /** Only for this many matching requests; then the fault clears itself. */
  readonly times?: number;
};

type PlainFaultKind = (typeof plainKinds)[number];

/** The possible faults, one at a time. */
export type Fault = FaultScope &
  (
    | { readonly kind: PlainFaultKind }
    | { readonly kind: '503'; readonly retryAfterSeconds?: number }
    /** The normal response, but late. */
    | { readonly kind: 'slow'; readonly delayMs?: number }
    /** One byte at a time, without end. */
    | { readonly kind: 'drip'; readonly everyMs?: number }
    | { readonly kind: 'wrong-schema'; readonly variant?: WrongSchemaVariant }
    | { readonly kind: 'redirect'; readonly location?: string }
  );

export type FaultKind = Fault['kind'];

const plainKinds = [
  '401',
  '403',
  '404',
  '422',
  '429',
  '429-errors',
  '429-billing',
  '500-html',
  '502-html',
  /** An HTML login page, as from a captive portal. */
  '200-html',
  'hang',
  'hang-body',
  'cut',
  'reset',
  'broken-json',
  'wrong-record',
  'huge',
  'expired-iterator',
] as const;

/** The options of each kind, besides those of all kinds. */
const optionsOfKind: Readonly<Record<FaultKind, readonly string[]>> = {
  ...(Object.fromEntries(plainKinds.map((kind) => [kind, []])) as unknown as Record<
    PlainFaultKind,
    readonly string[]
  >),
  '503': ['retryAfterSeconds'],
  slow: ['delayMs'],
  drip: ['everyMs'],
  'wrong-schema': ['variant'],
  redirect: ['location'],
};

/** Every kind of fault, for messages and tests. */
export const faultKinds = Object.keys(optionsOfKind) as readonly FaultKind[];

/** Parses a fault from JSON; `null` clears. `problem` is a sentence for the sender. */
export function parseFault(
  value: unknown,
): { ok: true; fault: Fault | null } | { ok: false; problem: string } {
  if (value === null) return { ok: true, fault: null };
  if (typeof value !== 'object' || !('kind' in value) || !isFaultKind(value.kind)) {
    return { ok: false, problem: `kind is one of: ${faultKinds.join(', ')}` };
  }
  const known = ['kind', 'on', 'afterPages', 'times', ...optionsOfKind[value.kind]];
  for (const [name, option] of Object.entries(value)) {
    if (!known.includes(name)) return { ok: false, problem: `${name} is not an option of this` };
    const rule = optionRules[name];
    if (rule && !rule.test(String(option))) {
      return { ok: false, problem: `${name} must match ${rule.source}` };
    }
  }
  return { ok: true, fault: value as Fault };
}

const wholeNumber = /^\d{1,9}$/;

const optionRules: Readonly<Record<string, RegExp>> = {
  on: /^(?:records|attachments)$/,
  variant: new RegExp(`^(?:${wrongSchemaVariants.join('|')})$`),
  location: /^https?:\/\//,
  afterPages: wholeNumber,
  times: wholeNumber,
  retryAfterSeconds: wholeNumber,
  delayMs: wholeNumber,
  everyMs: wholeNumber,
};

function isFaultKind(value: unknown): value is FaultKind {
  return faultKinds.some((kind) => kind === value);
}
