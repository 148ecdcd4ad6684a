import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import type { ButtonHTMLAttributes, Ref } from 'react';
import { areShortcutsOn } from '../../../ui/shortcuts/shortcuts';
import { useSignalValue } from '../../../ui/use-signal-value';
import { Icon, type IconName } from './icon';

interface ControlButtonProps
  extends UnstyledButtonProps, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'style'> {
  icon: IconName;
  /** What a click does, so the button needs no pressed state. */
  label: string;
  /** Off: something of the agent does not reach the customer. Danger: ends the call. Live: the customer should know. */
  look?: 'off' | 'danger' | 'live';
  /** Its shortcut, told to those who look for it. */
  keys?: string;
  testId?: string;
  ref?: Ref<HTMLButtonElement>;
}

export function ControlButton({
  icon,
  label,
  look,
  keys,
  testId,
  className = '',
  ...button
}: ControlButtonProps) {
  const hasShortcut = useSignalValue(areShortcutsOn) && keys !== undefined;
  return (
    <UnstyledButton
      className={`call-control ${className}`}
      data-look={look}
      data-testid={testId}
      title={hasShortcut ? `${label} (${keys.toUpperCase()})` : undefined}
      aria-keyshortcuts={hasShortcut ? keys : undefined}
      {...button}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </UnstyledButton>
  );
}
