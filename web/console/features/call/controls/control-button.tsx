import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import type { ButtonHTMLAttributes, Ref } from 'react';
import { Icon, type IconName } from './icon';

interface ControlButtonProps
  extends UnstyledButtonProps, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'style'> {
  icon: IconName;
  /** What a click does, so the button needs no pressed state. */
  label: string;
  /** Off: something of the agent does not reach the customer. Danger: ends the call. Live: the customer should know. */
  look?: 'off' | 'danger' | 'live';
  testId?: string;
  ref?: Ref<HTMLButtonElement>;
}

export function ControlButton({ icon, label, look, testId, className = '', ...button }: ControlButtonProps) {
  return (
    <UnstyledButton className={`call-control ${className}`} data-look={look} data-testid={testId} {...button}>
      <Icon name={icon} />
      <span>{label}</span>
    </UnstyledButton>
  );
}
