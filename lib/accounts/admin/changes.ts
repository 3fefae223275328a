import { type Budget, parseBudget } from '#lib/config/budget.ts';
import type { Actor } from '#lib/storage/audit-log.ts';
import type { AccountStores } from '../store/stores.ts';
import type { AdminProblem } from './problems.ts';

/** What admins change by the forms of their pages, and the operator by commands. Each change is in the audit log. */

/** Why nothing was changed: its code for pages, its message for commands. */
export class AdminChangeError extends Error {
  override readonly name = 'AdminChangeError';
  readonly problem: AdminProblem;

  constructor(problem: AdminProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

type Change = Readonly<{
  /** Of the member; of the group, its name. */
  id: string;
  /** The budget or the group, as it was typed; null: none of its own. */
  value: string | null;
  by: Actor;
}>;

/** @throws AdminChangeError if nothing was changed */
type Apply = (stores: AccountStores, change: Change) => Promise<void>;

/** The changes of a member, by the names that forms and commands use. */
export const memberChanges = {
  async disable({ members }, { id, by }) {
    if (id === by) throw new AdminChangeError('self', 'You cannot disable yourself.');
    requireMember(await members.setDisabled(id, true, by), id);
  },
  async enable({ members }, { id, by }) {
    requireMember(await members.setDisabled(id, false, by), id);
  },
  // Signing out somebody who has no session is done, too.
  async 'sign-out'({ sessions }, { id, by }) {
    await sessions.endAll(id, by);
  },
  async group({ members }, { id, value, by }) {
    if (!(await members.setGroup(id, value, by))) throw noGroup(value ?? '');
  },
  async budget({ members }, { id, value, by }) {
    requireMember(await members.setBudget(id, readBudget(value), by), id);
  },
} as const satisfies Readonly<Record<string, Apply>>;

export type MemberChangeName = keyof typeof memberChanges;

export function isMemberChange(name: string | null): name is MemberChangeName {
  return name !== null && Object.hasOwn(memberChanges, name);
}

/** The same of a group. */
export const groupChanges = {
  async create({ groups }, { id: name, value, by }) {
    if (!isGroupName(name)) {
      const message = 'The name of a group has 1 to 100 characters in one line.';
      throw new AdminChangeError('group-name', message);
    }
    if (await groups.create(name, readBudget(value), by)) return;
    const message = `There is a group ${JSON.stringify(name)} already: change its budget instead.`;
    throw new AdminChangeError('group-taken', message);
  },
  async budget({ groups }, { id: name, value, by }) {
    if (!(await groups.setBudget(name, readBudget(value), by))) throw noGroup(name);
  },
  async remove({ groups }, { id: name, by }) {
    if (!(await groups.remove(name, by))) throw noGroup(name);
  },
} as const satisfies Readonly<Record<string, Apply>>;

export type GroupChangeName = keyof typeof groupChanges;

export function isGroupChange(name: string | null): name is GroupChangeName {
  return name !== null && Object.hasOwn(groupChanges, name);
}

function requireMember(isFound: boolean, id: string): void {
  if (isFound) return;
  throw new AdminChangeError('no-member', `The member ${id} has been deleted.`);
}

function noGroup(name: string): AdminChangeError {
  const message = `There is no group ${JSON.stringify(name)}: npm run groups -- list`;
  return new AdminChangeError('no-group', message);
}

/** Its message says how to write one. */
function readBudget(text: string | null): Budget | null {
  if (text === null) return null;
  try {
    return parseBudget(text);
  } catch (error) {
    throw new AdminChangeError('budget', error instanceof Error ? error.message : '');
  }
}

/** Without control characters, which terminals would obey. */
function isGroupName(name: string): boolean {
  return /^[^\p{C}]{1,100}$/u.test(name) && name.trim() === name;
}
