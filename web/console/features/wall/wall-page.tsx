import { Alert, Button, Text } from '@mantine/core';
import { useConsole } from '../../state/console-context';
import { useDepartmentList } from '../../state/use-departments';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { formatTime } from '../../ui/dates';
import { useTransferNews } from '../../ui/hand-over/use-transfer-news';
import { Page } from '../../ui/page';
import { useAttempt } from '../../ui/use-attempt';
import { useSignalValue } from '../../ui/use-signal-value';
import { AgentsPanel } from './agents-panel';
import { useFullScreen } from './full-screen';
import { LineCard } from './line-card';
import { wallTexts } from './texts/texts';
import { Totals } from './totals';
import { useStaleSince } from './use-freshness';
import './wall.css';

/** All lines and agents of the company, live. */
export default function WallPage() {
  const texts = wallTexts.use();
  const attempt = useAttempt();
  const { isFull, toggle } = useFullScreen();
  useTransferNews();
  return (
    <Page
      title={texts.title}
      actions={
        <Button variant="default" onClick={() => attempt(toggle)}>
          {isFull ? texts.leaveFullScreen : texts.fullScreen}
        </Button>
      }
    >
      <StaleNotice />
      <Totals />
      <Lines />
      <AgentsPanel />
    </Page>
  );
}

function StaleNotice() {
  const texts = wallTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  const since = useStaleSince();
  if (since === null) return null;
  return (
    <Alert color="red" role="alert" data-testid="wall-stale">
      <Text className="wall-name">
        {texts.stale(formatTime(new Date(since).toISOString(), language, zone))}
      </Text>
    </Alert>
  );
}

function Lines() {
  const texts = wallTexts.use();
  const queues = useSignalValue(useConsole().queue.queues);
  const departments = useDepartmentList();
  const lines = departments.flatMap(({ id, name, active }) => {
    const queue = queues.find(({ department_id }) => department_id === id);
    // Inactive departments matter only while somebody waits there.
    return queue && (active || queue.size > 0) ? [{ name, queue }] : [];
  });
  if (departments.length === 0) return <Text>{texts.noLines}</Text>;
  return (
    <div className="wall-lines">
      {lines.map(({ name, queue }) => (
        <LineCard key={queue.department_id} name={name} queue={queue} />
      ))}
    </div>
  );
}
