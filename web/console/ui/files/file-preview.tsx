import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { components } from '../../../shared/api/client';
import { useConsole } from '../../state/console-context';
import { loadFile } from './download-file';
import { FileButton } from './file-button';

interface FilePreviewProps {
  file: components['schemas']['UploadedFileDto'];
  /** Of the button that saves it. */
  label: string;
}

/** A file of the chat: a picture is shown, and everything can be saved. */
export function FilePreview({ file, label }: FilePreviewProps) {
  const { session } = useConsole();
  const isPicture = file.content_type.startsWith('image/');
  const { data } = useQuery({
    queryKey: ['file-preview', file.id],
    queryFn: () => loadFile(session, file),
    enabled: isPicture,
    staleTime: Infinity,
  });
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!data) return undefined;
    const made = URL.createObjectURL(data);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return (
    <span style={{ display: 'grid', gap: '0.25rem', justifyItems: 'start' }}>
      {address && (
        <img
          src={address}
          alt={file.filename}
          data-testid="file-preview"
          style={{ maxInlineSize: '100%', maxBlockSize: '14rem', borderRadius: '0.25rem' }}
        />
      )}
      <FileButton file={file} label={label} />
    </span>
  );
}
