import type { Route } from '#lib/http/route.ts';
import { type RoutePath, routePaths } from '#lib/site/pages/routes.ts';

/** Handles a request to a route, whatever its method: a plain web function. */
type RouteFunction = (request: Request, context: { params: Promise<object> }) => Promise<Response>;

/** The `route.ts` of every route in `app/`. */
export type Routes = Readonly<{
  /** Loads it at its first use, so that the server is ready sooner. */
  load: (path: RoutePath) => Promise<RouteFunction>;
  /** Loads the others, so that no client waits for code to be loaded. */
  loadAll: () => Promise<void>;
}>;

const app = `${import.meta.dirname}/../../app`;

export function createRoutes(): Routes {
  const loaded = new Map<RoutePath, Promise<RouteFunction>>();

  function load(path: RoutePath): Promise<RouteFunction> {
    const known = loaded.get(path);
    if (known !== undefined) return known;
    const loading = loadFile(`${app}${path}/route.ts`);
    loaded.set(path, loading);
    return loading;
  }

  return {
    load,
    async loadAll() {
      for (const path of routePaths) await load(path);
    },
  };
}

async function loadFile(file: string): Promise<RouteFunction> {
  const route: Route = await import(file);
  return (request, context) => findHandler(route, request.method)(request, context);
}

/** The export of the method, as Next finds it; any of them rejects a method that none is named after. */
export function findHandler(route: Route, method: string): Route['GET'] {
  return Object.hasOwn(route, method) ? route[method as keyof Route] : route.OPTIONS;
}
