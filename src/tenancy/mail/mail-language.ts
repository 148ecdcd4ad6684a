const MAIL_LANGUAGES = ['pt', 'en', 'es'] as const;

export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** The language of mail for a language tag (BCP 47): that of its primary subtag, or English. */
export function mailLanguage(tag: string | null | undefined): MailLanguage {
  const primary = tag?.trim().toLowerCase().split(/[-_]/, 1)[0];
  return MAIL_LANGUAGES.find((language) => language === primary) ?? 'en';
}

/** Texts of the layout. */
export const LAYOUT_TEXTS = {
  pt: {
    greeting: (name: string | undefined) => (name ? `Olá, ${name}.` : 'Olá.'),
    copyLinkHint: 'Se o botão não funcionar, copie este endereço para o navegador:',
    automaticNotice: (company: string, service: string) =>
      `${company} enviou esta mensagem automaticamente pelo serviço ${service}. Por favor, não responda a ela.`,
  },
  en: {
    greeting: (name: string | undefined) => (name ? `Hello ${name},` : 'Hello,'),
    copyLinkHint: 'If the button does not work, copy this address into your browser:',
    automaticNotice: (company: string, service: string) =>
      `${company} sent this message automatically through ${service}. Please do not reply to it.`,
  },
  es: {
    greeting: (name: string | undefined) => (name ? `Hola, ${name}:` : 'Hola:'),
    copyLinkHint: 'Si el botón no funciona, copie esta dirección en su navegador:',
    automaticNotice: (company: string, service: string) =>
      `${company} envió este mensaje automáticamente a través de ${service}. Por favor, no responda a él.`,
  },
} satisfies Record<MailLanguage, unknown>;
