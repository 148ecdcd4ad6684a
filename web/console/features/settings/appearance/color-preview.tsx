import { SimpleGrid, Text } from '@mantine/core';
import { formatNumber } from '../../../ui/numbers';
import { useLanguage } from '../../../texts/language';
import { settingsTexts } from '../texts/texts';
import { previewColors, SURFACES, type Scheme } from './button-colors';

interface ColorPreviewProps {
  color: string;
  name: string;
  logoUrl: string | null;
}

/** The header and the button of the customer's page in both colour schemes. */
export function ColorPreview(props: ColorPreviewProps) {
  const texts = settingsTexts.use();
  return (
    <div>
      <Text size="sm" fw={500}>
        {texts.preview}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {(['light', 'dark'] as const).map((scheme) => (
          <SchemePreview key={scheme} scheme={scheme} {...props} />
        ))}
      </SimpleGrid>
    </div>
  );
}

function SchemePreview({ scheme, color, name, logoUrl }: ColorPreviewProps & { scheme: Scheme }) {
  const texts = settingsTexts.use();
  const language = useLanguage();
  const colors = previewColors(color, scheme);
  const { surface, text } = SURFACES[scheme];
  if (!colors) return null;
  const ratio = formatNumber(colors.textContrast, language, { maximumFractionDigits: 1 });
  return (
    <figure style={{ margin: 0 }} data-testid={`preview-${scheme}`}>
      <div style={{ background: surface, color: text, padding: '1rem', borderRadius: '0.5rem' }}>
        <div style={{ display: 'flex', alignItems: 'center', gap: '0.5rem', minBlockSize: '2rem' }}>
          {logoUrl && <img src={logoUrl} alt="" style={{ blockSize: '2rem', maxInlineSize: '6rem' }} />}
          <strong style={{ overflowWrap: 'anywhere' }}>{name}</strong>
        </div>
        <span
          style={{
            display: 'inline-block',
            marginBlockStart: '0.75rem',
            padding: '0.5rem 1rem',
            borderRadius: '0.5rem',
            fontWeight: 600,
            background: colors.background,
            color: colors.text,
          }}
        >
          {texts.previewButton}
        </span>
      </div>
      <Text component="figcaption" size="sm" c="dimmed">
        {texts.contrast(texts[scheme], ratio)} {colors.isAdjusted && texts.adjusted}
      </Text>
    </figure>
  );
}
