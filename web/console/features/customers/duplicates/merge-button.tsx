import { customerTexts } from '../texts/texts';
import type { Customer } from '../use-customers';
import { ConfirmButton } from '../../../ui/confirm-button';
import { MergeForecast } from './merge-forecast';
import { useMerge } from './use-merge';

interface MergeButtonProps {
  survivor: Customer;
  duplicates: readonly Customer[];
}

/** Says what a merge will do, and does it. */
export function MergeButton({ survivor, duplicates }: MergeButtonProps) {
  const texts = customerTexts.use();
  const merge = useMerge();
  return (
    <ConfirmButton
      label={texts.merge(duplicates.length + 1)}
      data-testid="merge"
      action={() => merge(survivor, duplicates)}
      question={<MergeForecast survivor={survivor} duplicates={duplicates} />}
    />
  );
}
