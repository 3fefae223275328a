/** Asks once, in the same form, before something that cannot be undone. */
export function ConfirmBox({ label }: Readonly<{ label: string }>) {
  return (
    <label className="confirm-box">
      <input type="checkbox" name="confirm" value="yes" required /> <span>{label}</span>
    </label>
  );
}
