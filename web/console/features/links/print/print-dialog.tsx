import './print.css';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { createPortal } from 'react-dom';
import { CopyButton } from '../../../ui/copy-button';
import { Dialog } from '../../../ui/dialog/dialog';
import { ProblemNotice } from '../../../ui/problem-notice';
import { Scroller } from '../../../ui/scroller';
import { linkTexts } from '../texts/texts';
import type { AccessLink } from '../use-links';
import { useQrCodes } from '../use-qr-codes';
import { QrSheet } from './qr-sheet';

interface PrintDialogProps {
  links: readonly AccessLink[];
  onClose: () => void;
}

/** A sheet of cards with QR codes, as it will be printed. */
export function PrintDialog({ links, onClose }: PrintDialogProps) {
  const texts = linkTexts.use();
  const { urls: codes, error, refetch } = useQrCodes(links.map(({ id }) => id));
  const sheet = codes && <QrSheet links={links} codes={codes} />;
  return (
    <Dialog opened onClose={onClose} title={texts.printTitle} size="xl">
      <Stack>
        <Text role="status">{codes ? texts.printReady(links.length) : texts.printLoading}</Text>
        <ProblemNotice error={error} onRetry={refetch} />
        <Group>
          <Button disabled={!codes} onClick={() => print()} data-testid="print">
            {texts.print}
          </Button>
          {links.length > 1 && <CopyButton value={links.map(({ url }) => url).join('\n')} />}
        </Group>
        {sheet ? (
          <Scroller className="qr-preview" data-testid="qr-sheet" role="region" aria-label={texts.printTitle}>
            {sheet}
          </Scroller>
        ) : (
          !error && <Skeleton height={200} />
        )}
      </Stack>
      {/* Outside of the dialog, whose height would cut it off after one page. */}
      {sheet && createPortal(<div className="print-only">{sheet}</div>, document.body)}
    </Dialog>
  );
}
