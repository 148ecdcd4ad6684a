import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { browserReplies } from '../../ui/browser-replies/browser-replies';
import { useConsole, useHasRole } from '../../state/console-context';
import { useBrowserReplies } from '../../ui/browser-replies/use-browser-replies';
import { useImport } from '../../ui/browser-replies/use-import';
import { useAttempt } from '../../ui/use-attempt';
import { cannedReplyTexts } from './texts/texts';

/** The texts that the user has kept in this browser, if any. */
export function BrowserReplyList() {
  const texts = cannedReplyTexts.use();
  const { userId } = useConsole();
  const mayImport = useHasRole('supervisor');
  const { replies } = useBrowserReplies();
  const importAll = useImport();
  const attempt = useAttempt();
  if (replies.length === 0) return null;
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-labelledby="browser-replies"
      data-testid="browser-replies"
    >
      <Stack gap="sm">
        <Title order={2} size="h4" id="browser-replies">
          {texts.inBrowser}
        </Title>
        <Text size="sm">
          {texts.inBrowserText} {!mayImport && texts.askSupervisor}
        </Text>
        {replies.map((reply, position) => (
          <Group key={`${position} ${reply.title}`} justify="space-between" wrap="nowrap">
            <Text size="sm" lineClamp={2}>
              <strong>{reply.title}</strong> {reply.text}
            </Text>
            <Button
              variant="default"
              size="compact-sm"
              style={{ flexShrink: 0 }}
              aria-label={texts.removeOne(reply.title)}
              onClick={() => browserReplies.remove(userId, reply)}
            >
              {texts.remove}
            </Button>
          </Group>
        ))}
        {mayImport && (
          <Group>
            <Button variant="default" onClick={() => attempt(importAll)} data-testid="import-all">
              {texts.import}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}
