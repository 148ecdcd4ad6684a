import { Anchor, Loader } from '@mantine/core';
import { useState } from 'react';
import { useConsole } from '../../state/console-context';
import { useAttempt } from '../use-attempt';
import type { components } from '../../../shared/api/client';
import { downloadFile } from './download-file';

/** The name of a file of a call; a click saves it on this computer. */
export function FileButton({
  file,
  label,
}: {
  file: Pick<components['schemas']['UploadedFileDto'], 'url' | 'filename'>;
  label: string;
}) {
  const { session } = useConsole();
  const attempt = useAttempt();
  const [isBusy, setBusy] = useState(false);
  const download = () => {
    setBusy(true);
    attempt(() => downloadFile(session, file).finally(() => setBusy(false)));
  };
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      aria-label={label}
      aria-busy={isBusy}
      // A disabled button would lose the focus.
      aria-disabled={isBusy}
      style={{ overflowWrap: 'anywhere', textAlign: 'start' }}
      onClick={() => isBusy || download()}
    >
      {file.filename} {isBusy && <Loader size={12} aria-hidden />}
    </Anchor>
  );
}
