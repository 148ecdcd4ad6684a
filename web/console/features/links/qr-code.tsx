import { Skeleton } from '@mantine/core';
import { ProblemNotice } from '../../ui/problem-notice';
import { linkTexts } from './texts/texts';
import { useQrCodes } from './use-qr-codes';
import type { AccessLink } from './use-links';

const SIZE = 180;

/** The link for a camera. */
export function QrCode({ link }: { link: AccessLink }) {
  const texts = linkTexts.use();
  const { urls, error, refetch } = useQrCodes([link.id]);
  if (error) return <ProblemNotice error={error} onRetry={refetch} />;
  if (!urls) return <Skeleton width={SIZE} height={SIZE} />;
  return (
    <img
      src={urls[0]}
      width={SIZE}
      height={SIZE}
      alt={texts.qrCode(link.label || link.department_name)}
      data-testid="link-qr"
    />
  );
}
