import { changeTypes } from '#lib/events/changes/change.ts';
import { parseEventsQuery } from '#lib/events/query/parse-query.ts';
import { listParameters } from '#lib/events/query/query-parameters.ts';
import { TargetError, type TargetGuard } from '../target-guard.ts';
import type { NewWebhook } from './webhook-store.ts';

/** What an admin or the operator has typed. */
export type WebhookInput = Readonly<{
  url: string;
  name: string | null;
  /** Types, separated by commas. */
  types: string | null;
  /** A query of the events list. */
  filter: string | null;
}>;

type WebhookProblem = 'url' | 'name' | 'types' | 'filter' | 'count';

/** Says which input is wrong, and what to change. */
export class WebhookInputError extends Error {
  override readonly name = 'WebhookInputError';
  readonly problem: WebhookProblem;

  constructor(problem: WebhookProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/** Of filters, only those that select events: a webhook is sent all of them, in their order. */
const { sort: _, order: __, limit: ___, ...filterParameters } = listParameters;
const defaultTypes = ['event.*'];
const filterLengthMax = 1_000;

/** @throws WebhookInputError */
export async function parseWebhookInput(
  { url, name, types, filter }: WebhookInput,
  guard: TargetGuard,
): Promise<Omit<NewWebhook, 'seed'>> {
  const parsed = {
    url: url.trim(),
    types: parseTypes(types ?? ''),
    filter: parseFilter((filter ?? '').trim()),
  };
  await requireTarget(parsed.url, guard);
  return { ...parsed, name: parseName(name?.trim() || new URL(parsed.url).host) };
}

async function requireTarget(url: string, guard: TargetGuard): Promise<void> {
  try {
    await guard.resolve(url);
  } catch (error) {
    const reason = error instanceof TargetError ? error.message : 'its host cannot be found';
    throw new WebhookInputError(
      'url',
      `This URL is refused: ${reason}. Use an https URL on the internet, or add its host to WEBHOOK_HOSTS.`,
    );
  }
}

/** Without control characters, which terminals would obey. */
function parseName(name: string): string {
  if (/^[^\p{C}]{1,100}$/u.test(name)) return name;
  throw new WebhookInputError('name', 'A name has 1 to 100 characters, on one line.');
}

function parseTypes(text: string): string[] {
  const types = [...new Set(text.split(/[\s,]+/).filter(Boolean))];
  if (types.length === 0) return defaultTypes;
  const isKnown = (type: string) =>
    changeTypes.some((known) => known === type) ||
    /^(?:event\.\*|alert\.(?:\*|[a-z_]{1,60}))$/.test(type);
  if (types.length <= 20 && types.every(isKnown)) return types;
  throw new WebhookInputError(
    'types',
    `Types are ${changeTypes.join(', ')}, event.*, and alert.* for what goes wrong.`,
  );
}

function parseFilter(text: string): string {
  const filter = text.replace(/^\?/, '');
  if (filter.length > filterLengthMax) {
    throw new WebhookInputError('filter', 'A filter has up to 1000 characters.');
  }
  const result = parseEventsQuery(new URLSearchParams(filter), filterParameters);
  if (result.ok) return filter;
  const { message, hint } = result.problem;
  throw new WebhookInputError('filter', `${message} ${hint}`);
}

/** The query of a stored filter. */
export function readFilter(filter: string) {
  const result = parseEventsQuery(new URLSearchParams(filter), filterParameters);
  // It was valid when it was stored: an older version may have known more.
  return result.ok ? result.query : null;
}
