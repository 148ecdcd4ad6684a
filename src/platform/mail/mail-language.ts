export type MailLanguage = 'pt' | 'en';

/** The language of mail for a language tag (BCP 47): Portuguese for its tags, otherwise English. */
export function mailLanguage(tag: string | null | undefined): MailLanguage {
  return tag?.trim().toLowerCase().startsWith('pt') ? 'pt' : 'en';
}

/** Texts of the layout. */
export const LAYOUT_TEXTS = {
  pt: {
    copyLinkHint: 'Se o botão não funcionar, copie este endereço para o navegador:',
    automaticNotice: (company: string, service: string) =>
      `${company} enviou esta mensagem automaticamente pelo serviço ${service}. Por favor, não responda a ela.`,
  },
  en: {
    copyLinkHint: 'If the button does not work, copy this address into your browser:',
    automaticNotice: (company: string, service: string) =>
      `${company} sent this message automatically through ${service}. Please do not reply to it.`,
  },
} satisfies Record<MailLanguage, unknown>;
