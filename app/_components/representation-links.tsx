import { CopyButton } from './copy-button.tsx';

type RepresentationLinksProps = Readonly<{ links: Readonly<Record<string, string>> }>;

/** Links to the other representations of a page, each with a button that copies its URL. */
export function RepresentationLinks({ links }: RepresentationLinksProps) {
  return (
    <nav className="representation-links" aria-label="This page in other formats">
      <ul>
        {Object.entries(links).map(([name, path]) => (
          <li key={name}>
            <a href={path}>{name}</a>
            <CopyButton text={path} name={`the ${name} link`} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
