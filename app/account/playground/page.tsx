import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { noModelsMessages } from '#lib/representations/listed-models.ts';
import { getServices } from '#lib/services.ts';
import { loadModels } from '#lib/site/pages/load-models.ts';
import { loadPageSession } from '#lib/site/pages/page-source.ts';
import { toPageMetadata } from '../../_metadata/page-metadata.ts';
import { MemberPlayground } from '../../models/_playground/playground.tsx';
import { AreaHeader } from '../_components/account-nav.tsx';
import { SignInPanel } from '../_components/sign-in-panel.tsx';
import '../../_styles/fields.css';
import '../../_styles/prose.css';
import '../../_components/area/area.css';

export function generateMetadata(): Metadata {
  return toPageMetadata({
    path: '/account/playground',
    title: 'Playground',
    description: 'Try every model without a key of your own.',
    isIndexed: false,
  });
}

/** The playground for a member, whose session replaces a key. */
export default async function MemberPlaygroundPage() {
  const services = getServices();
  const { members, models, site } = services;
  const signedIn = await loadPageSession(services, await headers());
  if (signedIn === null || signedIn === 'unreadable') {
    return <SignInPanel problem={null} providerName={members?.providerName ?? null} />;
  }
  const lists = await loadModels(models);
  return (
    <>
      <AreaHeader path="/account/playground" title="Playground">
        You are signed in, so you don’t need a key. Replies count towards your{' '}
        <a href="/account#usage">usage</a>, as “Playground”.
      </AreaHeader>
      {lists.kind !== 'listed' && <p className="notice">{noModelsMessages[lists.kind]}</p>}
      <section className="section playground" data-alone="" aria-labelledby="chat">
        <h2 id="chat" className="visually-hidden">
          Chat
        </h2>
        <MemberPlayground
          models={lists.kind === 'listed' ? lists.language : []}
          siteUrl={site.url}
          formToken={signedIn.formToken}
          offReason={lists.kind === 'unconfigured' ? noModelsMessages.unconfigured : null}
        />
      </section>
    </>
  );
}
