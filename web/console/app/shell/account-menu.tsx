import { Button, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../shared/texts/texts';
import { useConsole, useUser } from '../../state/console-context';
import { switchLanguage, useLanguage } from '../../texts/language';
import { useCommonTexts } from '../../texts/texts';
import { isShortcutListOpen } from '../../ui/shortcuts/shortcuts';
import { leave } from '../../ui/unsaved/unsaved-forms';
import { useAttempt } from '../../ui/use-attempt';

const SCHEMES: MantineColorScheme[] = ['auto', 'light', 'dark'];

/** The own account, colours, language and the way out. */
export function AccountMenu() {
  const texts = useCommonTexts();
  const user = useUser();
  const { session } = useConsole();
  const attempt = useAttempt();
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs" maw={{ base: 96, sm: 220 }} data-testid="account-menu">
          {user.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/account" data-testid="nav-account">
          {texts.nav.account}
        </Menu.Item>
        <Menu.Item onClick={() => (isShortcutListOpen.value = true)} data-testid="show-shortcuts">
          {texts.shortcuts.title}
        </Menu.Item>
        <Menu.Label>{texts.colors.label}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
        >
          {SCHEMES.map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick>
              {texts.colors[scheme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Label>{texts.language}</Menu.Label>
        <Menu.RadioGroup value={language} onChange={(next) => switchLanguage(next as Language)}>
          {LANGUAGES.map((one) => (
            <Menu.RadioItem key={one} value={one} lang={one} closeMenuOnClick>
              {LANGUAGE_NAMES[one]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={() => leave(() => attempt(() => session.logOut()))} data-testid="log-out">
          {texts.logOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
