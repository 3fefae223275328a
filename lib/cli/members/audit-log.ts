import { type AuditLine, formatChanges, log } from '#lib/accounts/admin/log-list.ts';
import { toListSource } from '#lib/accounts/lists/list-view.ts';
import type { Database } from '#lib/database.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { auditActions } from '#lib/storage/audit-actions.ts';
import { startCommand, toMinute, toSafeText, toTextTable } from '../command.ts';
import { type CommandInput, createDatabaseCommand, type Result } from '../database-command.ts';
import { readListOptions, toPageText, toPaging } from '../list-verb.ts';
import { findMemberId } from './member-options.ts';

/** `npm run audit-log`: who has changed what. */
export const auditLogCommand = createDatabaseCommand({
  name: 'npm run audit-log --',
  title: 'What members, admins and the operator have changed, newest first',
  verbs: {
    list: {
      usage: 'list [--member MEMBER] [--action ACTION] [--page 1]',
      words: [0, 0],
      options: ['member', 'action', 'page'],
      run: list,
    },
    verify: {
      usage: 'verify [--head HASH]',
      words: [0, 0],
      options: ['head'],
      run: verify,
    },
  },
  notes: `MEMBER is an id or an e-mail address; for a member who has deleted their account, only the id, until the week and the month end.
Actions: ${auditActions.join(', ')}.
verify says which entries are missing or changed. The server logs the newest hash once a day: HASH is one from its log.`,
});

async function list(input: CommandInput): Promise<Result> {
  const { member, ...options } = input.options;
  const person = await findPerson(input.database, member);
  const { page, query } = readListOptions(log, { words: [], options: { ...options, person } });
  const { rows, total } = await log.load(toListSource(input), query);
  const paging = toPaging(page, total);
  const table = rows.length === 0 ? 'There are no entries.' : toTable(rows);
  const entries = rows.map(({ at, ...line }) => ({ at: new Date(at).toISOString(), ...line }));
  return { json: { ...paging, entries }, text: toPageText(table, paging) };
}

async function verify({ database, options }: CommandInput): Promise<Result> {
  const report = await database.auditLog.verify(options.head);
  const { entries, erased, prunedBefore, head, problems } = report;
  const facts = [
    `${formatCountOf(entries, 'entry', 'entries')}. The newest has the position ${head.position} and the hash ${head.hash || 'none'}.`,
    ...(prunedBefore === null ? [] : [`Entries before ${prunedBefore} were deleted by age.`]),
    ...(erased === 0
      ? []
      : [
          `${formatCountOf(erased, 'entry lacks', 'entries lack')} ids of members who have deleted their accounts.`,
        ]),
  ];
  const findings = problems.length === 0 ? ['Nothing is missing or changed.'] : problems;
  return {
    json: report,
    text: [...facts, ...findings].join('\n'),
    isFailed: problems.length > 0,
  };
}

// Until the week and the month end, ids of deleted members stay in the log.
async function findPerson(database: Database, member: string | undefined) {
  return member?.includes('@') ? findMemberId(database, member) : member;
}

function toTable(lines: readonly AuditLine[]): string {
  return toTextTable(
    ['time', 'who', 'action', 'what', 'of', 'change'],
    lines.map(({ at, by, action, target, targetName, about, changes }) => [
      toMinute(at),
      by === null ? 'operator' : toSafeText(by.name ?? by.id),
      action,
      toSafeText(targetName ?? target),
      about === null ? '' : toSafeText(about.name ?? about.id),
      formatChanges(changes),
    ]),
  );
}

if (import.meta.main) await startCommand(auditLogCommand);
