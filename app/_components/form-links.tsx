type FormLinksProps = Readonly<{ forms: Readonly<Record<string, string>> }>;

/** One address, several forms: where else the same thing is to be had. */
export function FormLinks({ forms }: FormLinksProps) {
  return (
    <nav className="form-links" aria-label="Forms of this page">
      {Object.entries(forms).map(([name, address]) => (
        <a key={name} href={address}>
          {name}
        </a>
      ))}
    </nav>
  );
}
