import { createPlaygroundRoute } from '#lib/accounts/account/playground-route.ts';
import { getServices } from '#lib/services.ts';

/** A message of the playground, in the member's name: `POST /account/playground/{api}`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createPlaygroundRoute(getServices);
