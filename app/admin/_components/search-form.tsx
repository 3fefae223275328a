type SearchFormProps = Readonly<{ action: string; label: string; text: string }>;

/** Finds entries of a long list by a text. */
export function SearchForm({ action, label, text }: SearchFormProps) {
  return (
    <search>
      <form method="get" action={action} className="admin-search">
        <p className="field">
          <label htmlFor="search">{label}</label>
          <input id="search" name="q" type="search" defaultValue={text} maxLength={200} />
        </p>
        <button type="submit" className="button">
          Search
        </button>
        {text !== '' && (
          <a className="button-quiet" href={action}>
            All
          </a>
        )}
      </form>
    </search>
  );
}
