import { Button, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useCommonTexts } from '../texts/texts';
import { Page } from '../ui/page';

/** The page could not be loaded or shown. Most often a new version was deployed, so a reload helps. */
export function PageProblem() {
  const texts = useCommonTexts();
  const router = useRouter();
  return (
    <Page
      title={texts.broken.title}
      actions={
        <>
          <Button variant="default" onClick={() => void router.invalidate()}>
            {texts.retry}
          </Button>
          <Button onClick={() => location.reload()}>{texts.reload}</Button>
        </>
      }
    >
      <Text>{texts.broken.text}</Text>
    </Page>
  );
}
