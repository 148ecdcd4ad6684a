import { Button, FileButton, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { ConfirmButton } from '../../../ui/confirm-button';
import { notifySuccess } from '../../../ui/form/page-form';
import { ProblemNotice } from '../../../ui/problem-notice';
import { settingsTexts } from '../texts/texts';
import { TENANT_KEY } from '../use-tenant';

const TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif';

/** The logo is saved as soon as it is chosen. */
export function LogoField({ logoUrl }: { logoUrl: string | null }) {
  const texts = settingsTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const upload = async (file: File | null) => {
    if (!file) return;
    setBusy(true);
    setError(null);
    try {
      await unwrap(
        api.POST('/api/v1/tenant/logo', { body: { file: '' }, bodySerializer: () => formOf(file) }),
      );
      await queries.invalidateQueries({ queryKey: TENANT_KEY });
      notifySuccess(texts.logoSaved);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  const remove = async () => {
    await unwrap(api.DELETE('/api/v1/tenant/logo'));
    await queries.invalidateQueries({ queryKey: TENANT_KEY });
  };
  const isUnreadable = error instanceof ApiError && (error.status === 422 || error.status === 413);
  return (
    <div>
      <Text size="sm" fw={500}>
        {texts.logo}
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        {texts.logoText}
      </Text>
      <Group>
        {logoUrl ? (
          <img
            src={logoUrl}
            alt={texts.logo}
            data-testid="logo"
            style={{
              maxBlockSize: '4rem',
              maxInlineSize: '12rem',
              background: '#ffffff',
              padding: '0.25rem',
            }}
          />
        ) : (
          <Text size="sm">{texts.noLogo}</Text>
        )}
        <FileButton
          accept={TYPES}
          onChange={(file) => void upload(file)}
          inputProps={{ 'aria-label': texts.logo }}
        >
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={isBusy}>
              {texts.chooseLogo}
            </Button>
          )}
        </FileButton>
        {logoUrl && (
          <ConfirmButton
            label={texts.removeLogo}
            question={texts.removeLogoQuestion}
            action={remove}
            size="xs"
          />
        )}
      </Group>
      {isUnreadable ? (
        <Text size="sm" c="red" role="alert">
          {texts.badLogo}
        </Text>
      ) : (
        <ProblemNotice error={error} />
      )}
    </div>
  );
}

function formOf(file: File): FormData {
  const form = new FormData();
  form.append('file', file);
  return form;
}
