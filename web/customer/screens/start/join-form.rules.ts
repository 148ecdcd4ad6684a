import type { JoinForm } from '../../service/customer-api';

export type JoinErrors = Partial<Record<keyof JoinForm, string>>;

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** @returns the fields that the service would refuse, in their order on the page */
export function problemsOf(
  { name, email, phone, reason }: JoinForm,
  { isEmailRequired = false, isNameKnown = false } = {},
): (keyof JoinForm)[] {
  const wrong: (keyof JoinForm)[] = [];
  if ((name === '' && !isNameKnown) || name.length > 255) wrong.push('name');
  if (email === null ? isEmailRequired : !isEmail(email)) wrong.push('email');
  if (phone !== null && phone.length > 40) wrong.push('phone');
  if (reason !== null && reason.length > 2000) wrong.push('reason');
  return wrong;
}

/** Only a typing error is found here: the service has the last word. */
export const isEmail = (text: string): boolean => text.length <= 254 && EMAIL.test(text);
