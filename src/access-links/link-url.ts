/** The page that a link opens: its `url`. Without a token, what the addresses of all links begin with. */
export const linkUrl = (publicUrl: string, token = ''): string => `${publicUrl}/c/${token}`;
