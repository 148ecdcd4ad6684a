import { Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import type { CallOffer } from '../../../../shared/socket';
import { useApi } from '../../../state/console-context';
import { formatDuration } from '../../../ui/duration';
import { DeviceIcons } from '../device-icons';
import { queueTexts } from '../texts/texts';
import { useServerNow } from '../../../state/use-server-now';
import { useAppointmentText } from './use-appointment-text';

/** Why the customer calls, how long they have waited, and whether their devices work. */
export function OfferFacts({ offer, call }: CallOffer) {
  const texts = queueTexts.use();
  const api = useApi();
  const now = useServerNow();
  const appointment = useAppointmentText(offer.appointment);
  // The offer can be answered without it.
  const { data: details } = useQuery({
    queryKey: ['calls', call.id, 'offered'],
    retry: false,
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/calls/{id}', { params: { path: { id: call.id } } }))).data,
  });
  return (
    <>
      <Group gap="xs">
        {call.status === 'queued' && (
          <Text size="sm" className="digits">
            {texts.waiting(formatDuration(now - Date.parse(call.inserted_at)))}
          </Text>
        )}
        {details !== undefined && details.priority !== 0 && (
          <Badge className="mark" variant="light" color="orange" tt="none">
            {texts.priority(details.priority)}
          </Badge>
        )}
        {call.identity_confirmed === false && (
          <Badge
            className="mark"
            variant="light"
            color="orange"
            tt="none"
            data-testid="offer-claimed-customer"
          >
            {texts.offer.claimedCustomer}
          </Badge>
        )}
        {offer.known_customer && call.identity_confirmed !== false && (
          <Badge className="mark" variant="light" tt="none" data-testid="offer-known-customer">
            {texts.offer.knownCustomer}
          </Badge>
        )}
        <DeviceIcons report={call.device_report ?? null} />
      </Group>
      {appointment && <Text fw={600}>{appointment}</Text>}
      {details?.reason && <Text lineClamp={3}>{texts.offer.reason(details.reason)}</Text>}
      {offer.note && <Text lineClamp={3}>{texts.offer.note(offer.note)}</Text>}
    </>
  );
}
