import { Icon } from './icon.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';

const pages = [
  ['/', 'Events'],
  ['/calendar', 'Calendar'],
  ['/models', 'AI models'],
  ['/docs', 'Docs'],
] as const;

type SiteHeaderProps = Readonly<{ siteName: string; hasAccounts: boolean }>;

export function SiteHeader({ siteName, hasAccounts }: SiteHeaderProps) {
  return (
    <header className="site-header">
      <a className="site-name" href="/">
        {siteName}
      </a>
      <nav className="site-nav" aria-label="Site">
        {pages.map(([path, name]) => (
          <a key={path} href={path}>
            {name}
          </a>
        ))}
        <a className="icon-button only-with-script" href="/saved" title="My list">
          <Icon name="save" />
          <span>My list</span>
        </a>
        {hasAccounts && (
          <a className="icon-button" href="/account" title="Account">
            <Icon name="account" />
            <span>Account</span>
          </a>
        )}
        <SchemeSwitch />
      </nav>
    </header>
  );
}
