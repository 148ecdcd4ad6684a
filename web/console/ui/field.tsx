import type { ComponentChildren } from 'preact';

/** An input with its label. */
export function Field({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <label class="field">
      {label}
      {children}
    </label>
  );
}
