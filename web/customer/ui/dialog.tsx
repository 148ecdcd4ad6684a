import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  title: string;
  text?: string;
  /** Escape. Without it the question must be answered. */
  onCancel?: () => void;
  /** The buttons. */
  children: ComponentChildren;
}

/** A question that comes before everything else on the page. */
export function Dialog({ title, text, onCancel, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const cancel = (event: Event) => {
    event.preventDefault();
    onCancel?.();
  };
  return (
    <dialog
      class="dialog"
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={text && `${id}-text`}
      onCancel={cancel}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      {text && <p id={`${id}-text`}>{text}</p>}
      <div class="dialog-actions">{children}</div>
    </dialog>
  );
}
