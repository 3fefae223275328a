import { CopyButton } from './copy-button.tsx';

type FormLinksProps = Readonly<{ forms: Readonly<Record<string, string>> }>;

/** One address, several forms: where else the same thing is to be had, to open or to copy. */
export function RepresentationLinks({ forms }: FormLinksProps) {
  return (
    <nav className="form-links" aria-label="Forms of this page">
      <ul>
        {Object.entries(forms).map(([name, address]) => (
          <li key={name}>
            <a href={address}>{name}</a>
            <CopyButton text={address} name={`the address of the ${name} form`} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
