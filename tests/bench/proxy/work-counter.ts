import { Session } from 'node:inspector/promises';
import { StatementSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

/**
 * Loaded before the server that is measured. It counts what the server does between two messages of its parent,
 * `start` and `stop`: with `COUNTED=calls` calls of functions, which V8 counts only of what was loaded meanwhile; else
 * allocations, which that would change.
 */
export type Work = Readonly<{
  functions: readonly FunctionCalls[];
  allocations: readonly Allocation[];
  /** Statements that ran, by their SQL. */
  statements: Readonly<Record<string, number>>;
  parsed: number;
  written: number;
}>;

export type Allocation = Readonly<{ path: string; name: string; bytes: number }>;

/** @property blockMax how often the block inside of it ran that ran most often */
export type FunctionCalls = Readonly<{
  path: string;
  name: string;
  calls: number;
  blockMax: number;
}>;

const samplingOptions = {
  /** Bytes between two samples. */
  samplingInterval: 256,
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: true,
} as const;

const session = new Session();
session.connect();
let statements: Record<string, number> = {};
let json = { parsed: 0, written: 0 };

countStatements();
countJson();

const countsCalls = process.env.COUNTED === 'calls';
if (countsCalls) {
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

process.on('message', async (message) => {
  if (message === 'stop') {
    process.send?.(await stop());
    return;
  }
  if (countsCalls) await session.post('Profiler.takePreciseCoverage');
  else await session.post('HeapProfiler.startSampling', samplingOptions);
  statements = {};
  json = { parsed: 0, written: 0 };
  process.send?.('started');
});

async function stop(): Promise<Work> {
  const counted = { statements, ...json };
  if (countsCalls) {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return { ...counted, functions: result.flatMap(listCalls), allocations: [] };
  }
  const { profile } = await session.post('HeapProfiler.stopSampling');
  return { ...counted, functions: [], allocations: listAllocations(profile.head) };
}

type Coverage = Readonly<{
  url: string;
  functions: readonly Readonly<{
    functionName: string;
    ranges: readonly Readonly<{ count: number }>[];
  }>[];
}>;

function listCalls({ url, functions }: Coverage): FunctionCalls[] {
  if (!url.startsWith('file:')) return [];
  const path = fileURLToPath(url);
  // The first one is the module itself.
  return functions.slice(1).flatMap(({ functionName: name, ranges }) => {
    const calls = ranges[0]?.count ?? 0;
    const blockMax = Math.max(...ranges.map(({ count }) => count));
    return calls === 0 ? [] : [{ path, name, calls, blockMax }];
  });
}

type AllocationNode = Readonly<{
  callFrame: Readonly<{ url: string; functionName: string; lineNumber: number }>;
  selfSize: number;
  children: readonly AllocationNode[];
}>;

/** What functions of the project allocate themselves, and by built-in functions such as `map`, which have no URL. */
function listAllocations(head: AllocationNode): Allocation[] {
  const byFunction = new Map<string, Allocation>();
  const visit = ({ callFrame, selfSize, children }: AllocationNode, caller: Allocation) => {
    const { url, functionName, lineNumber } = callFrame;
    const own = { path: toOwnPath(url), name: `${functionName}:${lineNumber + 1}`, bytes: 0 };
    const allocator = url === '' ? caller : own;
    const name = `${allocator.path} ${allocator.name}`;
    const bytes = (byFunction.get(name)?.bytes ?? 0) + selfSize;
    byFunction.set(name, { ...allocator, bytes });
    for (const child of children) visit(child, allocator);
  };
  visit(head, { path: '', name: '', bytes: 0 });
  return [...byFunction.values()].filter(({ path }) => path !== '');
}

/** Of others: empty. */
function toOwnPath(url: string): string {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return '';
  return fileURLToPath(url);
}

function countStatements(): void {
  const count = (sql: string) => {
    statements[sql] = (statements[sql] ?? 0) + 1;
  };
  for (const name of ['run', 'all', 'get'] as const) {
    const run = StatementSync.prototype[name];
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...values: unknown[]) {
        count(this.sourceSQL);
        return Reflect.apply(run, this, values);
      },
    });
  }
}

function countJson(): void {
  const { parse, stringify } = JSON;
  Object.assign(JSON, {
    parse(...values: Parameters<typeof parse>) {
      json.parsed += 1;
      return parse(...values);
    },
    stringify(...values: Parameters<typeof stringify>) {
      json.written += 1;
      return stringify(...values);
    },
  });
}
