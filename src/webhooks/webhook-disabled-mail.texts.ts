import type { MailLanguage } from '../tenancy/mail/mail-language';
import type { MailText } from '../identity/mail/mail-text';
import type { DisableReason } from './webhook.events';

/** The values that the mail about a disabled webhook contains. */
export interface DisabledMailWords {
  /** Of the receiver, in a form that mail programs do not turn into a link. */
  host: string;
  reason: DisableReason;
  /** How long deliveries are kept. */
  days: number;
}

const NEXT_STEPS: Record<MailLanguage, (days: number) => string> = {
  pt: (days) =>
    `Corrija o destino, ative o webhook de novo (PUT /api/v1/webhooks/:id com active: true) e repita as entregas que falharam (POST /api/v1/webhooks/:id/replay). Elas ficam guardadas por ${days} ${days === 1 ? 'dia' : 'dias'}.`,
  en: (days) =>
    `Fix the receiver, activate the webhook again (PUT /api/v1/webhooks/:id with active: true) and replay the failed deliveries (POST /api/v1/webhooks/:id/replay). Deliveries are kept for ${days} ${days === 1 ? 'day' : 'days'}.`,
  es: (days) =>
    `Corrija el destino, active el webhook de nuevo (PUT /api/v1/webhooks/:id con active: true) y repita las entregas fallidas (POST /api/v1/webhooks/:id/replay). Las entregas se guardan durante ${days} ${days === 1 ? 'día' : 'días'}.`,
};

const REASONS: Record<MailLanguage, Record<DisableReason, (host: string) => string>> = {
  pt: {
    gone: (host) =>
      `O webhook para o servidor ${host} foi desativado: o destino respondeu 410, isto é, não quer receber mais nada.`,
    failing: (host) =>
      `O webhook para o servidor ${host} foi desativado: há três dias nenhuma entrega é aceita.`,
    backlog: (host) =>
      `O webhook para o servidor ${host} foi desativado: o destino aceita as entregas mais devagar do que os eventos acontecem, e entregas demais estavam pendentes.`,
  },
  en: {
    gone: (host) =>
      `The webhook to the server ${host} was disabled: its receiver answered 410, which asks for no further deliveries.`,
    failing: (host) =>
      `The webhook to the server ${host} was disabled: no delivery has succeeded for three days.`,
    backlog: (host) =>
      `The webhook to the server ${host} was disabled: its receiver accepts deliveries more slowly than events occur, and too many deliveries were pending.`,
  },
  es: {
    gone: (host) =>
      `El webhook al servidor ${host} se desactivó: su destino respondió 410, es decir, no quiere recibir más entregas.`,
    failing: (host) =>
      `El webhook al servidor ${host} se desactivó: desde hace tres días no se acepta ninguna entrega.`,
    backlog: (host) =>
      `El webhook al servidor ${host} se desactivó: su destino acepta las entregas más despacio de lo que ocurren los eventos, y había demasiadas pendientes.`,
  },
};

export const DISABLED_MAIL_TEXTS: Record<MailLanguage, (words: DisabledMailWords) => MailText> = {
  pt: ({ host, reason, days }) => ({
    subject: 'Um webhook foi desativado',
    paragraphs: [REASONS.pt[reason](host), NEXT_STEPS.pt(days)],
    footnote: 'Você recebe esta mensagem porque administra os webhooks da empresa.',
  }),
  en: ({ host, reason, days }) => ({
    subject: 'A webhook was disabled',
    paragraphs: [REASONS.en[reason](host), NEXT_STEPS.en(days)],
    footnote: 'You get this message because you manage the webhooks of the company.',
  }),
  es: ({ host, reason, days }) => ({
    subject: 'Se desactivó un webhook',
    paragraphs: [REASONS.es[reason](host), NEXT_STEPS.es(days)],
    footnote: 'Recibe este mensaje porque administra los webhooks de la empresa.',
  }),
};
