import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { type KeyView, toKeyViews } from '#lib/accounts/account/account-view.ts';
import { toBudgetViews } from '#lib/accounts/account/budget-view.ts';
import { toSpendOutlook } from '#lib/accounts/account/spend-outlook.ts';
import type { Members } from '#lib/accounts/members.ts';
import { accountsUnreadable, doneTexts, findProblem } from '#lib/accounts/routes/problems.ts';
import type { SignedIn } from '#lib/accounts/sign-in/sessions.ts';
import { isOnAllowList } from '#lib/keys/api-key.ts';
import { memberKeyBounds } from '#lib/keys/key-register.ts';
import { pickOfferedModels } from '#lib/representations/clients/clients.ts';
import { getServices } from '#lib/services.ts';
import { loadModels } from '#lib/site/pages/load-models.ts';
import { loadPageSession } from '#lib/site/pages/page-source.ts';
import { NewSecret } from '../_components/area/new-secret.tsx';
import { PostForm, SignInNotice } from '../_components/area/post-form.tsx';
import { Outcome } from '../_components/notices.tsx';
import { toPageMetadata } from '../_metadata/page-metadata.ts';
import { AccountData, AlertChoice, SessionList } from './_components/account-data.tsx';
import { AccountNav } from './_components/account-nav.tsx';
import { ConnectClient } from './_components/connect-client.tsx';
import { CreateKeyForm, type RefusedForm, toRefused } from './_components/create-key-form.tsx';
import { KeyList, LostKeys } from './_components/key-list.tsx';
import { SignInPanel } from './_components/sign-in-panel.tsx';
import { UsageSection } from './_components/usage-section.tsx';
import '../_styles/fields.css';
import '../_styles/prose.css';
import './_components/account.css';
import '../_components/area/forms.css';
import '../_components/area/area.css';
import '../_components/area/usage.css';

type AccountPageProps = Readonly<{
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}>;

export function generateMetadata(): Metadata {
  return toPageMetadata({
    path: '/account',
    title: 'Account',
    description: 'Your API keys, and what they use.',
    isIndexed: false,
  });
}

/** A member's keys and usage; for everybody else, a sign-in panel. */
export default async function AccountPage({ searchParams }: AccountPageProps) {
  const services = getServices();
  const { members } = services;
  if (members === null) return null;
  const query = await searchParams;
  const { client, model } = query;
  const code = [query.problem].flat()[0];
  const problem = findProblem(code);
  const request = await headers();
  const signedIn = await loadPageSession(services, request);
  if (signedIn === 'unreadable')
    return <SignInPanel problem={accountsUnreadable} providerName={null} />;
  if (signedIn === null) {
    const panel = { problem, providerName: members.providerName, to: [query.to].flat()[0] };
    return <SignInPanel {...panel} />;
  }
  return (
    <SignedInPage
      members={members}
      signedIn={signedIn}
      problem={problem}
      done={findProblem([query.done].flat()[0], doneTexts)}
      refused={toRefused(code, problem, query)}
      cookie={request.get('cookie')}
      connection={{ clientId: [client].flat()[0], modelId: [model].flat()[0] }}
    />
  );
}

type SignedInPageProps = Readonly<{
  members: Members;
  signedIn: SignedIn;
  problem: string | null;
  done: string | null;
  refused: RefusedForm | null;
  cookie: string | null;
  /** The client and the model that are connected. */
  connection: Readonly<{ clientId: string | undefined; modelId: string | undefined }>;
}>;

async function SignedInPage(props: SignedInPageProps) {
  const { members, signedIn, problem, done, refused, cookie, connection } = props;
  const { site, models, config, mail, database } = getServices();
  const { member, session, formToken, isAdmin, ageMs } = signedIn;
  const text = members.newKey.read(cookie);
  const [data, lists, newKey, wantsAlerts] = await Promise.all([
    members.account.load(member),
    loadModels(models),
    text === null ? null : members.account.findKeyByText(member, text),
    database.members.wantsAlerts(member.id),
  ]);
  const known = lists.kind === 'listed' ? lists.language : [];
  const now = Date.now();
  const keys = toKeyViews(data, now);
  const holder = { member, keys: data.keys };
  const budgets = toBudgetViews(holder, data.balances, { ...config.keys, now });
  const { memberBudget } = config.keys;
  const outlook = toSpendOutlook({ member, memberBudget, balances: data.balances, now });
  const usable = known.filter(({ id }) => isOnAllowList(newKey?.models ?? null, id));
  const connect = (
    <ConnectClient
      siteUrl={site.url}
      keyText={newKey === null ? null : text}
      models={pickOfferedModels(usable)}
      isLimited={(newKey?.models ?? null) !== null}
      {...connection}
    />
  );
  return (
    <div className="account">
      <AccountHeader member={member} isAdmin={isAdmin} formToken={formToken} />
      <Outcome problem={refused === null ? problem : null} done={done} />
      <LostKeys keys={data.lostKeys} />
      {text !== null && newKey !== null && (
        <NewSecret
          title={`Your new key: ${newKey.name}`}
          name="the key"
          text={text}
          lead="Copy it now. You won’t see it again, since we don’t store the key itself."
        >
          <h3 id="connect">Use it</h3>
          {connect}
        </NewSecret>
      )}
      <KeysSection
        keys={keys}
        keyDays={members.keyDays}
        models={known.map(({ id }) => id)}
        ageMs={ageMs}
        formToken={formToken}
        refused={refused}
      />
      {newKey === null && keys.length > 0 && (
        <section className="section" aria-labelledby="connect">
          <h2 id="connect">Connect a client</h2>
          <p>
            Keys are shown only once, so this configuration reads yours from the variable
            <code> MARQUEE_KEY</code>: <code>export MARQUEE_KEY=mq_…</code>
          </p>
          {connect}
        </section>
      )}
      <UsageSection outlook={outlook} budgets={budgets} />
      <SessionList sessions={data.sessions} currentId={session.id} formToken={formToken} />
      {mail !== null && member.email !== null && (
        <AlertChoice email={member.email} wantsAlerts={wantsAlerts} formToken={formToken} />
      )}
      <AccountData formToken={formToken} />
    </div>
  );
}

type KeysSectionProps = Readonly<{
  keys: readonly KeyView[];
  keyDays: number;
  /** Ids of those that a key may be limited to. */
  models: readonly string[];
  /** How long ago the member signed in. */
  ageMs: number;
  formToken: string;
  refused: RefusedForm | null;
}>;

/** The keys, and the form that creates another one. */
function KeysSection({ keys, keyDays, models, ageMs, formToken, refused }: KeysSectionProps) {
  return (
    <section className="section" aria-labelledby="keys">
      <h2 id="keys">API keys</h2>
      <KeyList keys={keys} formToken={formToken} keyDays={keyDays} refused={refused} />
      {keys.length >= memberKeyBounds.activeMax ? (
        <p className="notice">
          You have {keys.length} keys, which is the most that a member can have. To create another
          one, revoke one of these.
        </p>
      ) : (
        <>
          <SignInNotice ageMs={ageMs} to="/account" purpose="to create a key" />
          <CreateKeyForm
            formToken={formToken}
            suggestedName={suggestName(keys.map(({ name }) => name))}
            models={models}
            isFirst={keys.length === 0}
            refused={refused?.keyId === null ? refused : null}
          />
        </>
      )}
    </section>
  );
}

function suggestName(taken: readonly string[]): string {
  if (taken.length === 0) return 'My first key';
  let number = taken.length + 1;
  while (taken.includes(`Key ${number}`)) number += 1;
  return `Key ${number}`;
}

type AccountHeaderProps = Readonly<{
  member: Readonly<{ name: string; email: string | null }>;
  isAdmin: boolean;
  formToken: string;
}>;

/** Who is signed in. */
function AccountHeader({ member, isAdmin, formToken }: AccountHeaderProps) {
  return (
    <header className="account-header">
      <AccountNav path="/account" />
      <div>
        <h1>Account</h1>
        <p className="lead">
          <strong>{member.name}</strong>
          {member.email !== null && member.email !== member.name && `, ${member.email}`}
        </p>
      </div>
      <div className="buttons">
        {isAdmin && (
          <a className="button-quiet" href="/admin">
            Admin
          </a>
        )}
        <PostForm action="/sign-out" formToken={formToken}>
          <button type="submit" className="button-quiet">
            Sign out
          </button>
        </PostForm>
      </div>
    </header>
  );
}
