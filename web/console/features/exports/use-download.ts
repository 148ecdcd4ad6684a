import { useEffect, useRef, useState } from 'react';
import { useConsole } from '../../state/console-context';
import { useZone } from '../../state/use-zone';
import { downloadCsv, type Progress } from './download-csv';
import type { EXCEL_FORMAT, ExportKind, FilterName } from './export-kinds';
import { openFile } from './file-sink';
import { dayIn } from '../../ui/wall-time';

export interface Download {
  state: 'idle' | 'running' | 'done' | 'cancelled' | 'failed';
  progress: Progress;
  error: unknown;
}

const IDLE: Download = { state: 'idle', progress: { bytes: 0, rows: 0 }, error: null };

/** One export at a time: its progress, and how to begin and to cancel it. */
export function useDownload() {
  const { session } = useConsole();
  const zone = useZone()?.name;
  const [download, setDownload] = useState(IDLE);
  const cancelling = useRef<AbortController | null>(null);
  // A page that is left has nobody who sees the progress.
  useEffect(() => () => cancelling.current?.abort(), []);
  const start = async (
    kind: ExportKind,
    query: Partial<Record<FilterName | keyof typeof EXCEL_FORMAT, string>>,
  ): Promise<void> => {
    const controller = new AbortController();
    try {
      const file = await openFile(`${kind}-${dayIn(zone ?? 'UTC')}.csv`);
      cancelling.current = controller;
      setDownload({ ...IDLE, state: 'running' });
      const url = new URL(`/api/v1/export/${kind}.csv`, location.origin);
      url.search = new URLSearchParams(query).toString();
      const progress = await downloadCsv(
        (request) => session.send(request),
        url,
        file,
        controller.signal,
        (progress) => setDownload({ ...IDLE, state: 'running', progress }),
      );
      setDownload({ ...IDLE, state: 'done', progress });
    } catch (error) {
      const isCancelled = error instanceof DOMException && error.name === 'AbortError';
      setDownload((last) =>
        isCancelled && last.state !== 'running'
          ? last
          : { ...last, state: isCancelled ? 'cancelled' : 'failed', error: isCancelled ? null : error },
      );
    }
  };
  return { download, start, cancel: () => cancelling.current?.abort() };
}
