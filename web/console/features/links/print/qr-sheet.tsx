import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { formatDateTime } from '../../../ui/dates';
import { linkTexts } from '../texts/texts';
import type { AccessLink } from '../use-links';

interface QrSheetProps {
  links: readonly AccessLink[];
  /** URLs of their images, in the same order. */
  codes: readonly string[];
}

/** One card for each link. */
export function QrSheet({ links, codes }: QrSheetProps) {
  const texts = linkTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  return (
    <ul className="qr-sheet">
      {links.map((link, index) => (
        <li key={link.id}>
          <strong>{link.label || link.department_name}</strong>
          <img src={codes[index]} alt={texts.qrCode(link.label || link.department_name)} />
          <span className="url">{link.url}</span>
          {link.expires_at && (
            <span>{texts.validUntil(formatDateTime(link.expires_at, language, zone))}</span>
          )}
          {link.max_uses === 1 && <span>{texts.singleUse}</span>}
        </li>
      ))}
    </ul>
  );
}
