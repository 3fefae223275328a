import type { UpstreamHealth } from './upstream.ts';
import type { NamedUpstream } from './upstream-set.ts';

/** An upstream as an operator sees it: neither its URL nor its key. */
export type UpstreamDescription = UpstreamHealth &
  Readonly<{
    name: string;
    protocols: readonly string[];
    /** Null before its list of models was read. */
    models: readonly string[] | null;
    /** When that was, Unix ms. */
    listedAtMs: number | null;
  }>;

export function describeUpstream(named: NamedUpstream): UpstreamDescription {
  const { settings, upstream, protocols, lists } = named;
  const listed = lists.peek();
  return {
    ...upstream.health(),
    name: settings.name,
    protocols: [...protocols],
    models: listed === null ? null : [...listed.value.byId.keys()],
    listedAtMs: listed?.loadedAtMs ?? null,
  };
}
