import { type AuditLine, loadAuditLog, readAuditAction } from '#lib/accounts/admin/audit-view.ts';
import type { Database } from '#lib/database.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { auditActions } from '#lib/storage/audit-actions.ts';
import { startCommand, toMinute, toSafeText, toTextTable } from '../command.ts';
import { type CommandInput, createDatabaseCommand, type Result } from '../database-command.ts';
import { readPageOption, toPageText } from '../list-options.ts';
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

async function list({ database, options }: CommandInput): Promise<Result> {
  const action = readAuditAction(options.action);
  if (options.action !== undefined && action === undefined) {
    throw new Error(`--action must be one of ${auditActions.join(', ')}.`);
  }
  const page = readPageOption(options.page);
  const memberId = await findPerson(database, options.member);
  const { lines, paging } = await loadAuditLog(database, { memberId, action, page });
  const table = lines.length === 0 ? 'There are no entries.' : toTable(lines);
  const entries = lines.map(({ at, ...line }) => ({ at: new Date(at).toISOString(), ...line }));
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
      changes
        .map(({ column, from, to }) => `${column}: ${from ?? 'default'} → ${to ?? 'default'}`)
        .join('; '),
    ]),
  );
}

if (import.meta.main) await startCommand(auditLogCommand);
