import { startTestModels } from '../../support/models/test-models.ts';
import { startSite } from '../../support/servers/marquee-server.ts';
import { sharePictures } from './share-pictures.ts';

const urlVariable = 'MARQUEE_SAMPLE_SITE';

/** Starts the site that all workers share: the sample table and the demo's models, which no test changes. */
// biome-ignore lint/style/noDefaultExport: Playwright needs it.
export default async function startSampleSite(): Promise<() => Promise<void>> {
  const models = await startTestModels({ key: 'sk-of-the-models' });
  const server = await startSite({
    settings: {
      ...sharePictures(),
      AI_UPSTREAM_URL: models.url,
      AI_UPSTREAM_KEY: models.key,
      SITE_ABOUT: 'Run by volunteers of the Harbour Makers.',
      SITE_CONTACT_URL: 'mailto:hello@events.example',
      SITE_SUBMIT_URL: 'https://forms.example/new?table=events',
    },
  });
  // Workers inherit the environment.
  process.env[urlVariable] = server.url;
  return async () => {
    await server[Symbol.asyncDispose]();
    await models.close();
  };
}

export function findSampleSite(): string {
  const url = process.env[urlVariable];
  if (url === undefined) throw new Error('The sample site has not been started.');
  return url;
}
