interface FieldProps {
  label: string;
  testId: string;
  name: string;
  type?: 'text' | 'email' | 'password';
  autocomplete?: AutoFill;
}

/** A labelled input that must be filled. */
export function Field({ label, testId, name, type = 'text', autocomplete }: FieldProps) {
  return (
    <label class="field">
      {label}
      <input data-testid={testId} name={name} type={type} autocomplete={autocomplete} required />
    </label>
  );
}
