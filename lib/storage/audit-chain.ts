import { hash, randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { anchorAction } from './audit-actions.ts';
import type { Schema } from './schema.ts';

type AuditRow = Selectable<Schema['marquee_audit_log']>;

/** Where the chain ends: the position and the hash of the newest row, 0 and '' before the first. */
export type AuditHead = Readonly<{ position: number; hash: string }>;

/** The columns that name somebody. Each has a digest, which the chain contains instead of the value. */
const personalColumns = ['actor_id', 'target', 'member_id'] as const;

type PersonalColumn = (typeof personalColumns)[number];
type PersonalValues = Pick<AuditRow, PersonalColumn>;

/** What stands in a personal column once its value is erased. */
export const erasedValue = 'deleted';

/** A JSON object: for each personal column `SALT.HASH`, and `.HASH` once the value is erased. */
export function toDigests(values: PersonalValues): string {
  const digests = personalColumns.map((column) => {
    const salt = randomBytes(16).toString('base64url');
    return [column, `${salt}.${toDigest(salt, values[column])}`];
  });
  return JSON.stringify(Object.fromEntries(digests));
}

/** Removes salts: without them nobody can tell whether a digest is that of an id. */
export function eraseSalts(digests: string, columns: readonly PersonalColumn[]): string {
  const known = JSON.parse(digests);
  const erased = columns.map((column) => [column, `.${String(known[column]).split('.')[1]}`]);
  return JSON.stringify({ ...known, ...Object.fromEntries(erased) });
}

/** The hash of a row: of its fields, the digests of its personal values, and the hash of the row before. */
export function toRowHash(row: Omit<AuditRow, 'hash'>, previousHash: string): string {
  const digests = JSON.parse(row.digests);
  const fields = [
    previousHash,
    row.position,
    row.id,
    row.at,
    row.day,
    row.action,
    row.old_values,
    row.new_values,
    ...personalColumns.map((column) => String(digests[column]).split('.')[1]),
  ];
  return hash('sha256', JSON.stringify(fields));
}

/** A row that stands for those that were pruned: its hash is that of the last of them. */
export function isAnchor({ action }: Pick<AuditRow, 'action'>): boolean {
  return action === anchorAction;
}

/** Checks rows in their order; remembers what it has seen. */
export function createChainCheck() {
  const problems: string[] = [];
  const hashes = new Set<string>();
  let last: AuditHead = { position: 0, hash: '' };
  let entries = 0;
  let erased = 0;
  let prunedBefore: string | null = null;

  function checkRow(row: AuditRow): void {
    const isFirst = last.position === 0;
    if (isFirst && isAnchor(row)) prunedBefore = row.day;
    else {
      entries += 1;
      if (row.position !== last.position + 1) {
        problems.push(describeGap(last.position + 1, row.position - 1));
      } else if (!isIntact(row, last.hash)) {
        const before = isFirst ? '' : `, or entry ${last.position} with its hash`;
        problems.push(`Entry ${row.position} (${row.action}, ${row.id}) was changed${before}.`);
      }
      if (isErased(row)) erased += 1;
    }
    hashes.add(row.hash);
    last = row;
  }

  return {
    checkRow,
    /** @param knownHash one that was noted earlier. */
    finish(head: AuditHead, knownHash: string | undefined) {
      if (head.position > last.position) {
        problems.push(`${describeGap(last.position + 1, head.position)} Nothing newer is there.`);
      } else if (head.position !== last.position || head.hash !== last.hash) {
        problems.push('The newest entry is not the one that was written last.');
      }
      if (knownHash !== undefined && !hashes.has(knownHash)) {
        problems.push(
          `No entry has the hash ${knownHash}: entries were changed or deleted after it was noted, or it is older than the first entry.`,
        );
      }
      const { position, hash } = last;
      return { entries, erased, prunedBefore, head: { position, hash }, problems };
    },
  };
}

export type ChainReport = ReturnType<ReturnType<typeof createChainCheck>['finish']>;

function describeGap(from: number, to: number): string {
  return from === to ? `Entry ${from} is missing.` : `Entries ${from} to ${to} are missing.`;
}

/** What was edited may be of any kind: it must not end the check. */
function isIntact(row: AuditRow, previousHash: string): boolean {
  try {
    return toRowHash(row, previousHash) === row.hash && hasOwnValues(row);
  } catch {
    return false;
  }
}

function hasOwnValues(row: AuditRow): boolean {
  const digests = JSON.parse(row.digests);
  return personalColumns.every((column) => {
    const [salt = '', digest] = String(digests[column]).split('.');
    return salt === '' ? row[column] === erasedValue : toDigest(salt, row[column]) === digest;
  });
}

function isErased({ digests }: AuditRow): boolean {
  return digests.includes('".');
}

function toDigest(salt: string, value: string | null): string {
  return hash('sha256', JSON.stringify([salt, value]));
}
