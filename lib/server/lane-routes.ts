import { laneTable, type RouteModule } from './lane-table.ts';

/** A route that an address leads to. */
export type LaneMatch = Readonly<{
  module: RouteModule;
  /** Segments as they stand in the address, not decoded. */
  params: Readonly<Record<string, string | readonly string[]>>;
}>;

type Pattern = Readonly<{
  /** What addresses that match begin with, the slash before the parameter included. */
  start: string;
  name: string;
  /** Whether it takes all segments that are left, be they none. */
  isRest: boolean;
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
    const [, start = '', rest, name = ''] = /^(.*\/)\[(\[\.\.\.)?(\w+)\]+$/.exec(path) ?? [];
    if (name === '') exact.set(path, { module, params: noParams });
    else patterns.push({ start, name, isRest: rest !== undefined, module });
    // A rest parameter may be empty: `/api` leads where `/api/anything` does.
    if (rest !== undefined) exact.set(start.slice(0, -1), { module, params: noParams });
  }
  return {
    match: (path) => exact.get(path) ?? matchPatterns(patterns, path),
  };
}

function matchPatterns(patterns: readonly Pattern[], path: string): LaneMatch | null {
  for (const { start, name, isRest, module } of patterns) {
    if (!path.startsWith(start)) continue;
    const left = path.slice(start.length);
    if (isRest) return { module, params: { [name]: left.split('/') } };
    if (!left.includes('/')) return { module, params: { [name]: left } };
  }
  return null;
}
