import { useState } from 'preact/hooks';
import { useApp, useTexts } from '../../app/app-context';
import { asApiError } from '../../../shared/api/retry';
import type { CallFacts } from '../../state/state.types';
import { ProblemNotice } from '../../ui/problem-notice';
import { useRequest } from '../../ui/use-request';
import { CallbackForm } from './callback-form';

/**
 * Keeps the place while the customer is away: a message comes when it is nearly their turn. One press is enough for a
 * customer who has joined with an address.
 */
export function CallbackOffer({ call: { email } }: { call: CallFacts }) {
  const { actions } = useApp();
  const { callback } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const { isBusy, problem, run } = useRequest();
  const request = async () => {
    try {
      // Also one of a callback that was taken back, which the service has forgotten.
      await actions.requestCallback(email ?? undefined);
    } catch (error) {
      // The service had not said yet whether it has an address.
      if (asApiError(error).code !== 'validation_failed') throw error;
      setOpen(true);
    }
  };
  const press = () => {
    if (email === null) setOpen(true);
    else if (!isBusy) run(request);
  };
  return (
    <section class="card">
      <h2>{callback.offer}</h2>
      <p>{callback.offerText}</p>
      {isOpen ? (
        <CallbackForm email={email} />
      ) : (
        <>
          {email && <p>{callback.to(email)}</p>}
          <ProblemNotice problem={problem} />
          <button
            class="button"
            type="button"
            data-testid="request-callback"
            aria-disabled={isBusy ? 'true' : undefined}
            onClick={press}
          >
            {callback.request}
          </button>
        </>
      )}
    </section>
  );
}
