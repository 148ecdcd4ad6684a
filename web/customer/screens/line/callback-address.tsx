import { useRef, useState } from 'preact/hooks';
import { useTexts } from '../../app/app-context';
import { onEscape } from '../../ui/on-escape';
import { useFocusReturn } from '../../ui/use-focus-return';
import { CallbackForm } from './callback-form';

/** Where the message about the turn goes, which can be changed until it is sent. @param email null if it is unknown here */
export function CallbackAddress({ email }: { email: string | null | undefined }) {
  const { callback } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const area = useRef<HTMLElement>(null);
  useFocusReturn(isOpen, area, 'button');
  return (
    <section class="card" ref={area} onKeyDown={isOpen ? onEscape(() => setOpen(false)) : undefined}>
      {email && (
        <p role="status" data-testid="callback-address">
          {callback.to(email)}
        </p>
      )}
      {isOpen ? (
        <CallbackForm email={email} onSent={() => setOpen(false)} />
      ) : (
        <button class="button" type="button" data-testid="callback-change" onClick={() => setOpen(true)}>
          {callback.change}
        </button>
      )}
    </section>
  );
}
