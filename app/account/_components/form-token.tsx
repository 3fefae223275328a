/** Proves that a form came from a page of this session. */
export function FormToken({ value }: Readonly<{ value: string }>) {
  return <input type="hidden" name="token" value={value} />;
}
