import type { Turn } from './turn.ts';

/** A call that the prompt dictates. */
export type ScriptedCall = Readonly<{ name: string; arguments: unknown }>;

/** A line such as `> exec_command {"cmd": "ls"}`; `>&` makes the call together with the one before. */
const line = /^(>&?) ([\w-]+) (\{.*\}|".*")$/gm;

/**
 * The next calls that a prompt dictates, one per line: how the demo simulates a model that uses tools, with any
 * client. Null if there is no script; empty at its end.
 */
export function readScript(turns: readonly Turn[]): readonly ScriptedCall[] | null {
  const at = turns.findLastIndex(({ role, text }) => role === 'user' && text.search(line) !== -1);
  const prompt = turns[at];
  if (prompt === undefined) return null;
  const steps: ScriptedCall[][] = [];
  for (const [, mark, name = '', json = ''] of prompt.text.matchAll(line)) {
    const call = { name, arguments: parse(json) };
    if (mark === '>&' && steps.length > 0) steps.at(-1)?.push(call);
    else steps.push([call]);
  }
  return steps[countResults(turns.slice(at + 1))] ?? [];
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

/** Each unbroken row of tool results is one finished step. */
function countResults(turns: readonly Turn[]): number {
  return turns.filter(({ role }, index) => role === 'tool' && turns[index - 1]?.role !== 'tool')
    .length;
}
