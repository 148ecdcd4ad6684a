import { Anchor, type AnchorProps } from '@mantine/core';
import { mailLink, phoneLink } from './contact-links';

/** An e-mail address as a link that writes to it. */
export const MailAnchor = ({ email, ...props }: AnchorProps & { email: string }) => (
  <Anchor href={mailLink(email)} {...props}>
    {email}
  </Anchor>
);

/** A phone number as a link that calls it, or as text if it is not one number. */
export function PhoneAnchor({ phone, ...props }: AnchorProps & { phone: string }) {
  const href = phoneLink(phone);
  if (href === undefined) return phone;
  return (
    <Anchor href={href} {...props}>
      {phone}
    </Anchor>
  );
}
