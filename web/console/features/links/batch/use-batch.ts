import type { UseFormReturnType } from '@mantine/form';
import { useMemo, useState } from 'react';
import { ApiError, unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { useDepartmentChoices } from '../../../ui/choices/use-department-choices';
import { FieldSentences, loadFieldTranslator } from '../../../ui/form/field-sentences';
import { useSave } from '../../../ui/form/use-save';
import { linkInput, type LinkValues } from '../link-values';
import { linkTexts } from '../texts/texts';
import type { AccessLink } from '../use-links';
import { problemsByLine, readBatch, type BatchLine } from './batch.rules';

export const MAX_LINKS = 500;

export interface BatchValues extends LinkValues {
  lines: string;
}

const NOTHING: ReadonlyMap<number, string[]> = new Map();

/** Reads the lines while they are typed, and creates all links or none. */
export function useBatch(
  form: UseFormReturnType<BatchValues>,
  zone: string,
  onCreated: (links: AccessLink[]) => unknown,
) {
  const api = useApi();
  const texts = linkTexts.use();
  const departments = useDepartmentChoices();
  const values = form.getValues();
  const lines = useMemo(
    () => readBatch(values.lines, { defaults: linkInput(values, zone), departments, zone }),
    [values, departments, zone],
  );
  /** Of the service, for the text that was sent. */
  const [refusal, setRefusal] = useState<{ text: string; byLine: ReadonlyMap<number, string[]> } | null>(
    null,
  );
  const refused = refusal?.text === values.lines ? refusal.byLine : NOTHING;
  const bad = lines.filter(({ problems, number }) => problems.length > 0 || refused.has(number));
  const save = useSave({
    form,
    send: async () => {
      try {
        const body = { links: lines.map(({ link }) => link) };
        return (await unwrap(api.POST('/api/v1/access-links/batch', { body }))).data;
      } catch (error) {
        const byLine = await refusalOf(error, lines);
        if (byLine.size === 0) throw error;
        setRefusal({ text: values.lines, byLine });
        // At the lines, not at the fields of the same names that hold for all of them.
        throw new FieldSentences({ lines: texts.batchBad(byLine.size) });
      }
    },
    done: onCreated,
  });
  const isReady =
    lines.length > 0 && lines.length <= MAX_LINKS && bad.every(({ problems }) => problems.length === 0);
  return { lines, bad, refused, isReady, save };
}

async function refusalOf(
  error: unknown,
  lines: readonly BatchLine[],
): Promise<ReadonlyMap<number, string[]>> {
  if (!(error instanceof ApiError)) return NOTHING;
  return problemsByLine(error.fields, lines, await loadFieldTranslator());
}
