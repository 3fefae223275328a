import { findAsvsProblems } from './asvs.ts';
import { findTextProblems } from './developer-texts.ts';

/** `npm run check:texts`: the README, AGENTS.md and the table of ASVS say what is true of the repository. */
const problems = [...findTextProblems(), ...findAsvsProblems()];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
