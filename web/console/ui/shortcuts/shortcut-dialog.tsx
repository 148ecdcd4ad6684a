import { Group, Kbd, Stack, Switch, Text } from '@mantine/core';
import { useCommonTexts } from '../../texts/texts';
import { Dialog } from '../dialog/dialog';
import { useSignalValue } from '../use-signal-value';
import { areShortcutsOn, isShortcutListOpen, shortcuts, switchShortcuts } from './shortcuts';

const close = () => {
  isShortcutListOpen.value = false;
};

/** What the keys do on this page. */
export default function ShortcutDialog() {
  const { shortcuts: texts } = useCommonTexts();
  const all = useSignalValue(shortcuts);
  const isOn = useSignalValue(areShortcutsOn);
  return (
    <Dialog opened onClose={close} title={texts.title}>
      <Stack data-testid="shortcuts">
        <Switch
          label={texts.use}
          description={texts.hint}
          checked={isOn}
          onChange={({ currentTarget }) => switchShortcuts(currentTarget.checked)}
        />
        <dl className="shortcuts">
          {all.map(({ keys, label }) => (
            <Group key={keys} justify="space-between" wrap="nowrap">
              <dt>{label}</dt>
              <dd>
                <Keys keys={keys} />
              </dd>
            </Group>
          ))}
        </dl>
      </Stack>
    </Dialog>
  );
}

function Keys({ keys }: { keys: string }) {
  const { shortcuts: texts } = useCommonTexts();
  const names = keys.split('+').map((key) => (key === 'shift' ? texts.shift : key));
  return (
    <Text component="span">
      {names.map((name) => (
        <Kbd key={name}>{name.length === 1 ? name.toUpperCase() : name}</Kbd>
      ))}
    </Text>
  );
}
