import { createModelHealthRoute } from '#lib/accounts/account/model-health.ts';
import { getServices } from '#lib/services.ts';

/** How the models have done in the last 24 hours, for members: `GET /account/models.json`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createModelHealthRoute(getServices);
