import { Button, Card, Group, Text, Title } from '@mantine/core';
import type { CallOffer } from '../../../../shared/socket';
import { useConsole } from '../../../state/console-context';
import { useAttempt } from '../../../ui/use-attempt';
import { queueTexts } from '../texts/texts';
import { useServerNow } from '../use-server-now';

/** A call that this agent may take, with the seconds that are left. */
export function OfferCard({ offer: { offer, call } }: { offer: CallOffer }) {
  const { offer: texts } = queueTexts.use();
  const state = useConsole();
  const attempt = useAttempt();
  const now = useServerNow();
  const seconds = Math.max(0, Math.ceil((Date.parse(offer.expires_at) - now) / 1000));
  return (
    <Card withBorder data-testid="offer" role="alertdialog" aria-labelledby={`offer-${offer.id}`}>
      <Title order={2} size="h3" id={`offer-${offer.id}`}>
        {texts.title}
      </Title>
      <Text>{texts.from(call.customer_name, call.department_name)}</Text>
      {offer.note && <Text>{texts.note(offer.note)}</Text>}
      <Text>{texts.seconds(seconds)}</Text>
      <Group>
        <Button data-testid="offer-accept" onClick={() => attempt(() => state.accept(offer.id))}>
          {texts.accept}
        </Button>
        <Button
          variant="default"
          data-testid="offer-decline"
          onClick={() => attempt(() => state.queue.decline(offer.id))}
        >
          {texts.decline}
        </Button>
      </Group>
    </Card>
  );
}
