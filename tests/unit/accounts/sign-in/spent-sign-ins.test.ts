import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '#lib/config/config.ts';
import { createServices } from '#lib/services.ts';
import { forTests } from '../../../support/for-tests.ts';
import { startFakeProvider } from '../../../support/members/fake-provider.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';
import { createTestLog } from '../../../support/test-log.ts';

// It takes each code as often as it comes.
const provider = forTests(startFakeProvider);
const minuteMs = 60_000;

/** One instance of several. */
function openInstance(dataDir: string, now: () => number) {
  const config = loadConfig({
    ...provider.environment,
    DATA_DIR: dataDir,
    SITE_URL: 'http://localhost:4996',
    MEMBERS_ALLOWED: '*',
    AI_UPSTREAM_URL: 'http://127.0.0.1:1/v1',
    AI_UPSTREAM_KEY: 'sk-none',
  });
  const { members, database, close } = createServices(config, { log: createTestLog(), now });
  onTestFinished(close);
  if (members === null) throw new Error('There are no accounts.');
  return { signIn: members.signIn, database };
}

type SignIn = ReturnType<typeof openInstance>['signIn'];

/** The request with which a browser comes back from the provider. */
async function startSignIn(signIn: SignIn): Promise<() => Request> {
  const started = await signIn.start(new Request('http://localhost/sign-in'));
  const [cookie = ''] = started.headers.getSetCookie().map((text) => text.split(';')[0] ?? '');
  const back = await fetch(started.headers.get('location') ?? '', { redirect: 'manual' });
  const url = back.headers.get('location') ?? '';
  return () => new Request(url, { headers: { cookie } });
}

async function finish(signIn: SignIn, request: Request): Promise<string> {
  const { headers } = await signIn.finish(request);
  const isSignedIn = headers.getSetCookie().some((text) => text.includes('marquee-session='));
  return isSignedIn ? 'signed in' : (headers.get('location') ?? '');
}

const stale = '/account?problem=stale';

test('a callback signs in once, whichever instances get it', async () => {
  const dataDir = makeTestFolder();
  const instances = [1, 2].map(() => openInstance(dataDir, Date.now));
  const [first] = instances;
  const callback = await startSignIn(first?.signIn ?? expect.fail());
  const all = [...instances, ...instances].map(({ signIn }) => finish(signIn, callback()));
  expect((await Promise.all(all)).toSorted()).toEqual([stale, stale, stale, 'signed in']);
});

test('a sign-in that is older than 15 minutes is over, and nothing of it is kept', async () => {
  let at = Date.now();
  const { signIn, database } = openInstance(makeTestFolder(), () => at);
  const used = await startSignIn(signIn);
  const unused = await startSignIn(signIn);
  expect(await finish(signIn, used())).toBe('signed in');
  at += 16 * minuteMs;
  expect(await finish(signIn, unused())).toBe(stale);
  expect(await finish(signIn, used())).toBe(stale);
  at += 16 * minuteMs;
  await finish(signIn, (await startSignIn(signIn))());
  const rows = await database.run((db) =>
    db.selectFrom('marquee_spent_sign_ins').selectAll().execute(),
  );
  expect(rows).toHaveLength(1);
});
