import { Card, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { MailAnchor, PhoneAnchor } from '../../ui/contact-anchors';
import { formatDateTime } from '../../ui/dates';
import { toPairs } from './metadata.rules';
import { customerTexts } from './texts/texts';
import type { Customer } from './use-customers';

/** What is known of a customer. */
export function CustomerFacts({ customer }: { customer: Customer }) {
  const texts = customerTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  const { email, phone, document, notes, metadata, call_count, last_call_at, inserted_at } = customer;
  return (
    <Card withBorder data-testid="customer-facts">
      <SimpleGrid component="dl" cols={{ base: 1, sm: 2, lg: 3 }} m={0}>
        <Fact name={texts.email}>{email && <MailAnchor email={email} />}</Fact>
        <Fact name={texts.phone}>{phone && <PhoneAnchor phone={phone} />}</Fact>
        <Fact name={texts.document}>{document}</Fact>
        <Fact name={texts.calls}>{call_count}</Fact>
        <Fact name={texts.lastCall}>{formatDateTime(last_call_at, language, zone)}</Fact>
        <Fact name={texts.since}>{formatDateTime(inserted_at, language, zone)}</Fact>
        {toPairs(metadata).map(({ name, value }) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
        <Fact name={texts.notes}>{notes}</Fact>
      </SimpleGrid>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {children === 0 ? 0 : children || '—'}
      </Text>
    </div>
  );
}
