import type { ComponentChildren } from 'preact';
import { useTexts } from '../app/app-context';

interface FieldProps {
  id: string;
  label: string;
  isOptional?: boolean;
  error?: string | null;
  /** The input; it gets its id and its description from here. */
  children: (attributes: Attributes) => ComponentChildren;
}

interface Attributes {
  id: string;
  'data-testid': string;
  'aria-invalid': 'true' | undefined;
  'aria-describedby': string | undefined;
}

/** A labelled input with its problem. */
export function Field({ id, label, isOptional = false, error, children }: FieldProps) {
  const texts = useTexts();
  const errorId = `${id}-error`;
  return (
    <div class="field">
      <label for={id}>
        {label} {isOptional && <span class="optional">{`(${texts.optional})`}</span>}
      </label>
      {children({
        id,
        'data-testid': id,
        'aria-invalid': error ? 'true' : undefined,
        'aria-describedby': error ? errorId : undefined,
      })}
      {error && (
        <p class="field-error" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
}
