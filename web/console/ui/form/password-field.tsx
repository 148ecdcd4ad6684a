import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useCommonTexts } from '../../texts/texts';

/** A password, with a button that shows it. */
export function PasswordField(props: PasswordInputProps) {
  const { login } = useCommonTexts();
  return (
    <PasswordInput
      label={login.password}
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': login.showPassword }}
      required
      {...props}
    />
  );
}
