import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useSkills } from '../../state/use-skills';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { ConfirmButton } from '../../ui/confirm-button';
import { CopyButton } from '../../ui/copy-button';
import { formatDateTime } from '../../ui/dates';
import { Dialog } from '../../ui/dialog/dialog';
import { QrCode } from './qr-code';
import { LinkStatusBadge } from './link-status-badge';
import { linkTexts } from './texts/texts';
import type { AccessLink } from './use-links';

interface LinkDetailsProps {
  link: AccessLink;
  onClose: () => void;
  onPrint: () => void;
  onCancelled: (link: AccessLink) => unknown;
}

/** A link to copy, to scan and to print. */
export function LinkDetails({ link, onClose, onPrint, onCancelled }: LinkDetailsProps) {
  const texts = linkTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  const api = useApi();
  const { data: skills = [] } = useSkills();
  const cancel = async () => {
    const params = { path: { id: link.id } };
    const { data } = await unwrap(api.POST('/api/v1/access-links/{id}/cancel', { params }));
    await onCancelled(data);
  };
  const nameOf = (id: string) => skills.find((skill) => skill.id === id)?.name ?? id;
  return (
    <Dialog opened onClose={onClose} title={link.label || texts.noLabel} size="lg">
      <Stack data-testid="link-details">
        <Group>
          <LinkStatusBadge status={link.status} />
          <Text>{link.department_name}</Text>
        </Group>
        <Group align="end" wrap="nowrap">
          <TextInput label={texts.url} value={link.url} readOnly style={{ flex: 1 }} data-testid="link-url" />
          <CopyButton value={link.url} />
        </Group>
        <Group align="start">
          <QrCode link={link} />
          <Stack gap={4} style={{ flex: 1 }}>
            <Text size="sm">{texts.fact(texts.uses, texts.usesOf(link.use_count, link.max_uses))}</Text>
            {link.valid_from && (
              <Text size="sm" data-testid="link-valid-from">
                {texts.fact(texts.validFrom, formatDateTime(link.valid_from, language, zone))}
              </Text>
            )}
            <Text size="sm">
              {texts.fact(texts.expires, formatDateTime(link.expires_at, language, zone) || texts.never)}
            </Text>
            <Text size="sm">{texts.fact(texts.priority, String(link.priority))}</Text>
            <Text size="sm">
              {texts.fact(texts.created, formatDateTime(link.inserted_at, language, zone))}
            </Text>
            {link.skills.map(({ skill_id, min_level }) => (
              <Text size="sm" key={skill_id}>
                {texts.skillFrom(nameOf(skill_id), min_level)}
              </Text>
            ))}
          </Stack>
        </Group>
        <Group justify="space-between">
          {link.status === 'cancelled' ? (
            <span />
          ) : (
            <ConfirmButton
              label={texts.cancelLink}
              question={texts.cancelQuestion}
              action={cancel}
              data-testid="link-cancel"
            />
          )}
          <Button onClick={onPrint} data-testid="link-print">
            {texts.print}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
