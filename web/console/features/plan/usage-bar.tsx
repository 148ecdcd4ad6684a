import { Group, Progress, Text } from '@mantine/core';
import { useLanguage } from '../../texts/language';
import { formatNumber } from '../../ui/numbers';
import { planTexts } from './texts/texts';
import { usageShare } from './usage';

const COLORS = { plenty: 'blue', little: 'yellow', none: 'red' } as const;

interface UsageBarProps {
  label: string;
  used: number;
  /** Null for none. */
  limit: number | null;
  unit?: string;
}

/** How much of a limit is used, as numbers and as a bar; without a limit the number alone. */
export function UsageBar({ label, used, limit, unit }: UsageBarProps) {
  const texts = planTexts.use();
  const language = useLanguage();
  const of = limit === null ? null : formatNumber(limit, language);
  const amount = of === null ? formatNumber(used, language) : texts.of(formatNumber(used, language), of);
  const text = `${amount}${unit ? ` ${unit}` : ''}${of === null ? `, ${texts.unlimited}` : ''}`;
  const share = usageShare(used, limit);
  return (
    <div>
      <Group justify="space-between">
        <Text size="sm">{label}</Text>
        <Text size="sm" fw={600}>
          {text}
        </Text>
      </Group>
      {share && (
        <Progress.Root size="lg">
          <Progress.Section
            value={share.percent}
            color={COLORS[share.left]}
            aria-label={label}
            aria-valuetext={text}
          />
        </Progress.Root>
      )}
      {share?.left === 'none' && (
        <Text size="sm" c="red">
          {texts.full}
        </Text>
      )}
    </div>
  );
}
