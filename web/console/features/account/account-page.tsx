import { Alert, Skeleton, Stack } from '@mantine/core';
import { useConsole } from '../../state/console-context';
import { useMe } from '../../state/use-me';
import { useCommonTexts } from '../../texts/texts';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { useSignalValue } from '../../ui/use-signal-value';
import { OwnData } from './own-data';
import { OwnPassword } from './own-password';
import { Sessions } from './sessions';
import { accountTexts } from './texts/texts';
import { TwoStep } from './two-step/two-step';

/** The user's own data, password, second factor and logins. */
export default function AccountPage() {
  const texts = accountTexts.use();
  const common = useCommonTexts();
  const mustEnrol = useSignalValue(useConsole().session.mustEnrol);
  const { data, isPending, error, refetch } = useMe();
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
          {!mustEnrol && <OwnData user={data} />}
          {!mustEnrol && <OwnPassword email={data.email} />}
          <TwoStep isEnabled={data.mfa_enabled} />
          {/* The service answers nothing else until the second factor is set up. */}
          {!mustEnrol && <Sessions />}
        </Stack>
      )}
    </Page>
  );
}
