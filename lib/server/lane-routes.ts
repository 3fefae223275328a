import { laneTable, type RouteModule } from './lane-table.ts';

/** A route that an address leads to. */
export type LaneMatch = Readonly<{
  module: RouteModule;
  /** Segments as they stand in the address, not decoded. */
  params: Readonly<Record<string, string | readonly string[]>>;
}>;

type Pattern = Readonly<{
  prefix: string;
  name: string;
  /** Whether it takes all segments that are left, and whether none is enough. */
  rest: 'one' | 'some' | 'any';
  module: RouteModule;
}>;

export type LaneRoutes = Readonly<{ match: (path: string) => LaneMatch | null }>;

const noParams = Object.freeze({});

/** Loads every route of the lane's table; addresses are written as Next's folders are. */
export async function loadLaneRoutes(): Promise<LaneRoutes> {
  const exact = new Map<string, LaneMatch>();
  const patterns: Pattern[] = [];
  for (const { path, load } of laneTable) {
    const module = (await load()) as RouteModule;
    const pattern = /^(.*)\/(\[\[\.\.\.|\[\.\.\.|\[)(\w+)\]+$/.exec(path);
    if (pattern === null) exact.set(path, { module, params: noParams });
    else patterns.push(toPattern(pattern, module));
  }
  return {
    match: (path) => exact.get(path) ?? matchPatterns(patterns, path),
  };
}

function toPattern(
  [, prefix = '', opening, name = '']: RegExpExecArray,
  module: RouteModule,
): Pattern {
  const rest = opening === '[[...' ? 'any' : opening === '[...' ? 'some' : 'one';
  return { prefix, name, rest, module };
}

function matchPatterns(patterns: readonly Pattern[], path: string): LaneMatch | null {
  for (const { prefix, name, rest, module } of patterns) {
    if (rest === 'any' && path === prefix) return { module, params: noParams };
    if (!path.startsWith(`${prefix}/`)) continue;
    const left = path.slice(prefix.length + 1);
    if (rest !== 'one') return { module, params: { [name]: left.split('/') } };
    if (!left.includes('/')) return { module, params: { [name]: left } };
  }
  return null;
}
