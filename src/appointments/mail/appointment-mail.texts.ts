import type { MailLanguage } from '../../tenancy/mail/mail-language';
import type { AppointmentMailKind } from './appointment-mail-queue';

export interface AppointmentMailText {
  subject: string;
  paragraphs: string[];
  /** Label of the link; omitted when the link is no longer valid. */
  action?: string;
  footnote: string;
}

/** Values that the texts contain. */
export interface AppointmentMailValues {
  company: string;
  agent: string;
  title: string | null;
  /** As formatted by formatSchedule. */
  when: string;
  /** The day without times. */
  day: string;
}

type Texts = Record<AppointmentMailKind, (values: AppointmentMailValues) => AppointmentMailText>;

/** Title of an appointment that has none. */
export const DEFAULT_TITLES: Record<MailLanguage, (company: string) => string> = {
  pt: (company) => `Atendimento por vídeo · ${company}`,
  en: (company) => `Video call · ${company}`,
  es: (company) => `Videollamada · ${company}`,
};

const PT_LINK = {
  action: 'Entrar no atendimento',
  footnote: 'Se você não puder comparecer, avise a empresa.',
};
const EN_LINK = { action: 'Join the call', footnote: 'If you cannot attend, please let the company know.' };

const bodyPt = ({ when, title }: AppointmentMailValues, message: string) => [
  message,
  when,
  ...(title ? [`Assunto: ${title}`] : []),
];
const linkPt = 'Entre pelo link abaixo, que abre 15 minutos antes e vale até o fim do horário.';

const bodyEn = ({ when, title }: AppointmentMailValues, message: string) => [
  message,
  when,
  ...(title ? [`About: ${title}`] : []),
];
const linkEn =
  'Join through the link below. It opens 15 minutes before the start and is valid until the end.';

const ES_LINK = { action: 'Entrar en la llamada', footnote: 'Si no puede asistir, avise a la empresa.' };

const bodyEs = ({ when, title }: AppointmentMailValues, message: string) => [
  message,
  when,
  ...(title ? [`Asunto: ${title}`] : []),
];
const linkEs =
  'Entre con el enlace de abajo. Se abre 15 minutos antes del comienzo y vale hasta el final de la cita.';

export const APPOINTMENT_TEXTS: Record<MailLanguage, Texts> = {
  pt: {
    invitation: (values) => ({
      subject: `Seu atendimento por vídeo: ${values.day} · ${values.company}`,
      paragraphs: [
        ...bodyPt(
          values,
          `Seu atendimento por vídeo com ${values.agent}, de ${values.company}, está confirmado:`,
        ),
        linkPt,
      ],
      ...PT_LINK,
    }),
    update: (values) => ({
      subject: `Seu atendimento por vídeo mudou: ${values.day} · ${values.company}`,
      paragraphs: [
        ...bodyPt(
          values,
          `Seu atendimento por vídeo em ${values.company} mudou. Agora é com ${values.agent}:`,
        ),
        linkPt,
      ],
      ...PT_LINK,
    }),
    cancellation: (values) => ({
      subject: `Seu atendimento por vídeo foi cancelado: ${values.day} · ${values.company}`,
      paragraphs: bodyPt(values, `Seu atendimento por vídeo em ${values.company} foi cancelado:`),
      footnote: 'O link que você recebeu não vale mais.',
    }),
    reminder: (values) => ({
      subject: `Lembrete do seu atendimento por vídeo: ${values.day} · ${values.company}`,
      paragraphs: [
        ...bodyPt(
          values,
          `Lembramos do seu atendimento por vídeo com ${values.agent}, de ${values.company}:`,
        ),
        linkPt,
      ],
      ...PT_LINK,
    }),
  },
  en: {
    invitation: (values) => ({
      subject: `Your video call: ${values.day} · ${values.company}`,
      paragraphs: [
        ...bodyEn(values, `Your video call with ${values.agent} of ${values.company} is confirmed:`),
        linkEn,
      ],
      ...EN_LINK,
    }),
    update: (values) => ({
      subject: `Your video call has changed: ${values.day} · ${values.company}`,
      paragraphs: [
        ...bodyEn(
          values,
          `Your video call with ${values.company} has changed. It is now with ${values.agent}:`,
        ),
        linkEn,
      ],
      ...EN_LINK,
    }),
    cancellation: (values) => ({
      subject: `Your video call was cancelled: ${values.day} · ${values.company}`,
      paragraphs: bodyEn(values, `Your video call with ${values.company} was cancelled:`),
      footnote: 'The link that you received is no longer valid.',
    }),
    reminder: (values) => ({
      subject: `Reminder of your video call: ${values.day} · ${values.company}`,
      paragraphs: [
        ...bodyEn(values, `This is a reminder of your video call with ${values.agent} of ${values.company}:`),
        linkEn,
      ],
      ...EN_LINK,
    }),
  },
  es: {
    invitation: (values) => ({
      subject: `Su videollamada: ${values.day} · ${values.company}`,
      paragraphs: [
        ...bodyEs(values, `Su videollamada con ${values.agent}, de ${values.company}, está confirmada:`),
        linkEs,
      ],
      ...ES_LINK,
    }),
    update: (values) => ({
      subject: `Su videollamada ha cambiado: ${values.day} · ${values.company}`,
      paragraphs: [
        ...bodyEs(values, `Su videollamada con ${values.company} ha cambiado. Ahora es con ${values.agent}:`),
        linkEs,
      ],
      ...ES_LINK,
    }),
    cancellation: (values) => ({
      subject: `Su videollamada se canceló: ${values.day} · ${values.company}`,
      paragraphs: bodyEs(values, `Su videollamada con ${values.company} se canceló:`),
      footnote: 'El enlace que recibió ya no vale.',
    }),
    reminder: (values) => ({
      subject: `Recordatorio de su videollamada: ${values.day} · ${values.company}`,
      paragraphs: [
        ...bodyEs(values, `Le recordamos su videollamada con ${values.agent}, de ${values.company}:`),
        linkEs,
      ],
      ...ES_LINK,
    }),
  },
};
