import { Button, Card, Group, Kbd, Progress, Text, Title, VisuallyHidden } from '@mantine/core';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { CallOffer } from '../../../../shared/socket';
import { useConsole } from '../../../state/console-context';
import { useShortcut } from '../../../ui/shortcuts/use-shortcut';
import { isWorkplace } from '../../../ui/is-workplace';
import { leave, unsavedForms } from '../../../ui/unsaved/unsaved-forms';
import { useAttempt } from '../../../ui/use-attempt';
import { queueTexts } from '../texts/texts';
import { DeclineForm } from './decline-form';
import { OfferFacts } from './offer-facts';
import { useTimeLeft } from './use-time-left';
import { usePoliteFocus } from './use-polite-focus';

/** A call that this agent may take, with the seconds that are left. */
export function OfferCard({ offer: { offer, call } }: { offer: CallOffer }) {
  const { offer: texts } = queueTexts.use();
  const card = useRef<HTMLDivElement>(null);
  const hasFocusStayed = usePoliteFocus(card);
  const { seconds, share } = useTimeLeft(offer);
  const { isBusy, accept, decline } = useAnswers(offer.id);
  const [isReasonOpen, setReasonOpen] = useState(false);
  useShortcut({ keys: 'a', label: texts.accept, action: accept, isEnabled: !isBusy });
  useShortcut({ keys: 'd', label: texts.decline, action: () => decline(), isEnabled: !isBusy });
  const from = texts.from(call.customer_name, call.department_name);
  return (
    <Card
      ref={card}
      withBorder
      shadow="md"
      className="offer"
      data-testid="offer"
      role="alertdialog"
      tabIndex={-1}
      aria-labelledby={`offer-${offer.id}`}
      aria-describedby={`offer-from-${offer.id}`}
    >
      <Group justify="space-between" align="start">
        <div className="offer-text">
          <Text size="sm" fw={600} id={`offer-${offer.id}`}>
            {titleOf(offer.kind, texts)}
          </Text>
          <Title order={2} size="h3" id={`offer-from-${offer.id}`}>
            {from}
          </Title>
          <OfferFacts offer={offer} call={call} />
        </div>
        <Group gap="xs">
          <Button
            size="md"
            data-testid="offer-accept"
            loading={isBusy}
            onClick={accept}
            rightSection={<Kbd size="xs">A</Kbd>}
          >
            {texts.accept}
          </Button>
          <Button
            size="md"
            variant="default"
            data-testid="offer-decline"
            disabled={isBusy}
            onClick={() => decline()}
            rightSection={<Kbd size="xs">D</Kbd>}
          >
            {texts.decline}
          </Button>
          <Button
            size="md"
            variant="subtle"
            data-testid="offer-decline-because"
            aria-expanded={isReasonOpen}
            onClick={() => setReasonOpen(!isReasonOpen)}
          >
            {texts.declineBecause}
          </Button>
        </Group>
      </Group>
      {isReasonOpen && <DeclineForm isBusy={isBusy} onDecline={decline} />}
      <Group gap="sm" mt="sm" wrap="nowrap">
        <Progress value={share * 100} color="green" flex={1} aria-label={texts.seconds(seconds)} />
        <Text size="sm" role="timer" className="digits">
          {texts.seconds(seconds)}
        </Text>
      </Group>
      {hasFocusStayed && (
        <VisuallyHidden role="alert">
          {titleOf(offer.kind, texts)}: {from}
        </VisuallyHidden>
      )}
    </Card>
  );
}

function titleOf(
  kind: CallOffer['offer']['kind'],
  texts: ReturnType<typeof queueTexts.use>['offer'],
): string {
  if (kind === 'transfer') return texts.transfer;
  return kind === 'forced' ? texts.forced : texts.title;
}

/** Both answers end the offer, so the second click of somebody in a hurry does nothing. */
function useAnswers(offerId: string) {
  const state = useConsole();
  const attempt = useAttempt();
  const navigate = useNavigate();
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const answer = (action: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    attempt(() => action().finally(() => setBusy(false)));
  };
  return {
    isBusy,
    accept: () =>
      leave(
        () =>
          answer(async () => {
            await state.accept(offerId);
            await navigate({ to: '/' });
          }),
        // Another page is left, with a question, after the customer is answered. Here the call takes the place of the former one.
        isWorkplace(router.state.location.pathname) && unsavedForms.exist(),
      ),
    decline: (reason?: string) => answer(() => state.queue.decline(offerId, reason || null)),
  };
}
