import type { Budget } from '#lib/config/budget.ts';

/** The group of a member. */
export type MemberGroup = Readonly<{ name: string; budget: Budget | null }>;

export function toBudget(text: string | null): Budget | null {
  return text === null ? null : JSON.parse(text);
}

export function toBudgetText(budget: Budget | null): string | null {
  return budget === null ? null : JSON.stringify(budget);
}

export function toGroup(name: string | null, budget: string | null): MemberGroup | null {
  return name === null ? null : { name, budget: toBudget(budget) };
}
