/** A result of `npm run doctor`. A problem keeps the instance from working; a warning does not. */
export type Finding = Readonly<{
  name: string;
  level: 'ok' | 'warning' | 'problem';
  text: string;
  /** Rows of the table that were left out or repaired, for `--json`. */
  rows?: readonly object[];
}>;

type Examine = (text: string) => Omit<Finding, 'name'>;

export const ok: Examine = (text) => ({ level: 'ok', text });
export const warning: Examine = (text) => ({ level: 'warning', text });
export const problem: Examine = (text) => ({ level: 'problem', text });

/** The last line: whether the instance can serve, and otherwise what keeps it from that. */
export function toVerdict(findings: readonly Finding[]): string {
  const namesOf = (level: Finding['level']) =>
    [
      ...new Set(findings.filter((finding) => finding.level === level).map(({ name }) => name)),
    ].join(', ');
  const [problems, warnings] = [namesOf('problem'), namesOf('warning')];
  if (problems !== '') return `Not ready: ${problems}.`;
  return warnings === '' ? 'Ready.' : `Ready, with warnings: ${warnings}.`;
}
