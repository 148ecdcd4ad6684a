import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useCommonTexts } from '../texts/texts';
import { Page } from '../ui/page';

export function NotFound() {
  const texts = useCommonTexts();
  return (
    <Page title={texts.notFound.title}>
      <Text>{texts.notFound.text}</Text>
      <Anchor component={Link} to="/">
        {texts.nav.queue}
      </Anchor>
    </Page>
  );
}
