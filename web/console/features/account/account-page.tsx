import { Alert, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi, useConsole } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { useSignalValue } from '../../ui/use-signal-value';
import { OwnData } from './own-data';
import { OwnPassword } from './own-password';
import { Sessions } from './sessions';
import { accountTexts } from './texts/texts';
import { TwoStep } from './two-step/two-step';

export const ME_KEY = ['users', 'me'];

/** The user's own data, password, second factor and logins. */
export default function AccountPage() {
  const texts = accountTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const mustEnrol = useSignalValue(useConsole().session.mustEnrol);
  const { data, isPending, error, refetch } = useQuery({
    queryKey: ME_KEY,
    queryFn: () => unwrap(api.GET('/api/v1/users/me')),
  });
  return (
    <Page title={common.nav.account}>
      {mustEnrol && (
        <Alert color="yellow" role="status" title={texts.mustEnrol.title} data-testid="must-enrol">
          {texts.mustEnrol.text}
        </Alert>
      )}
      <ProblemNotice error={error} onRetry={refetch} />
      {isPending && <Skeleton height={240} />}
      {data && (
        <Stack maw="52rem">
          {!mustEnrol && <OwnData user={data.data} />}
          {!mustEnrol && <OwnPassword email={data.data.email} />}
          <TwoStep isEnabled={data.data.mfa_enabled} />
          {/* The service answers nothing else until the second factor is set up. */}
          {!mustEnrol && <Sessions />}
        </Stack>
      )}
    </Page>
  );
}
