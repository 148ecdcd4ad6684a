import { Button, FileButton, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../../shared/api/client';
import { shrinkPicture } from '../../../shared/shrink-picture';
import { ConfirmButton } from '../confirm-button';
import { notifySuccess } from '../form/page-form';
import { ProblemNotice } from '../problem-notice';

interface PictureFieldProps {
  texts: {
    label: string;
    text: string;
    /** While there is no picture. */
    none: string;
    choose: string;
    saved: string;
    /** The file is no such picture, or too large. */
    bad: string;
    remove: string;
    removeQuestion: string;
  };
  url: string | null;
  /** Media types. */
  accept: string;
  isRound?: boolean;
  testId: string;
  upload: (file: File) => Promise<unknown>;
  remove: () => Promise<unknown>;
}

/** The service keeps no larger ones. */
const SHRUNK = { maxSide: 512, type: 'image/png' } as const;

const FRAME = { maxBlockSize: '4rem', maxInlineSize: '12rem', background: '#ffffff', padding: '0.25rem' };
const ROUND = { blockSize: '4rem', inlineSize: '4rem', borderRadius: '50%' };

/** A picture, which is saved as soon as it is chosen. */
export function PictureField({ texts, url, accept, isRound, testId, upload, remove }: PictureFieldProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const choose = async (file: File | null) => {
    if (!file) return;
    setBusy(true);
    setError(null);
    try {
      // A picture that this browser does not know is shrunk by the service, or refused.
      await upload(await shrinkPicture(file, SHRUNK).catch(() => file));
      notifySuccess(texts.saved);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  const isUnreadable = error instanceof ApiError && (error.status === 422 || error.status === 413);
  return (
    <div>
      <Text size="sm" fw={500}>
        {texts.label}
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        {texts.text}
      </Text>
      <Group>
        {url ? (
          <img src={url} alt={texts.label} data-testid={testId} style={isRound ? ROUND : FRAME} />
        ) : (
          <Text size="sm">{texts.none}</Text>
        )}
        <FileButton
          accept={accept}
          onChange={(file) => void choose(file)}
          inputProps={{ 'aria-label': texts.label }}
        >
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={isBusy}>
              {texts.choose}
            </Button>
          )}
        </FileButton>
        {url && (
          <ConfirmButton label={texts.remove} question={texts.removeQuestion} action={remove} size="xs" />
        )}
      </Group>
      {isUnreadable ? (
        <Text size="sm" c="red" role="alert">
          {texts.bad}
        </Text>
      ) : (
        <ProblemNotice error={error} />
      )}
    </div>
  );
}

/** The body of a request that uploads a picture. */
export function pictureForm(file: File): FormData {
  const form = new FormData();
  form.append('file', file);
  return form;
}
