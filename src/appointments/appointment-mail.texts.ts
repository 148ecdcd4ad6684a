import { DateTime } from 'luxon';
import type { MailLanguage } from '../platform/mail/mail-language';
import type { AppointmentMailKind } from './appointment-mail-queue';
import type { AppointmentTimes } from './appointment.rules';

export interface AppointmentMailText {
  subject: string;
  paragraphs: string[];
  /** The label of the link; none where it leads nowhere. */
  action?: string;
  footnote: string;
}

/** What is said of an appointment, and to whom. */
export interface AppointmentMailValues {
  company: string;
  name: string;
  agent: string;
  title: string | null;
  /** As whenOf says it. */
  when: string;
  /** The day alone. */
  day: string;
}

type Texts = Record<AppointmentMailKind, (words: AppointmentMailValues) => AppointmentMailText>;

const LOCALES: Record<MailLanguage, string> = { pt: 'pt-BR', en: 'en-GB' };

/** The appointment's time as people say it where the company is. @param zone IANA */
export function formatSchedule(
  { starts_at, ends_at }: AppointmentTimes,
  zone: string,
  language: MailLanguage,
) {
  const [start, end] = [starts_at, ends_at].map((moment) =>
    DateTime.fromJSDate(moment, { zone }).setLocale(LOCALES[language]),
  ) as [DateTime, DateTime];
  const [day, lastDay] = [start, end].map((time) => time.toLocaleString(DateTime.DATE_HUGE)) as [
    string,
    string,
  ];
  const until = `${lastDay === day ? '' : `${lastDay}, `}${end.toFormat('HH:mm')}`;
  return { day, when: `${day}, ${start.toFormat('HH:mm')} – ${until} (${start.offsetNameLong})` };
}

/** What stands for an appointment without a title. */
export const DEFAULT_TITLES: Record<MailLanguage, (company: string) => string> = {
  pt: (company) => `Atendimento por vídeo · ${company}`,
  en: (company) => `Video call · ${company}`,
};

const PT_LINK = {
  action: 'Entrar no atendimento',
  footnote: 'Se você não puder vir, avise a empresa.',
};
const EN_LINK = { action: 'Join the call', footnote: 'If you cannot come, tell the company.' };

const bodyPt = ({ name, when, title }: AppointmentMailValues, news: string) => [
  `Olá, ${name}.`,
  news,
  when,
  ...(title ? [`Assunto: ${title}`] : []),
];
const linkPt = 'Entre pelo link abaixo, que abre 15 minutos antes e vale até o fim do horário.';

const bodyEn = ({ name, when, title }: AppointmentMailValues, news: string) => [
  `Hello ${name},`,
  news,
  when,
  ...(title ? [`About: ${title}`] : []),
];
const linkEn = 'Come in by the link below, which opens 15 minutes before and is good until the end.';

export const APPOINTMENT_TEXTS: Record<MailLanguage, Texts> = {
  pt: {
    invitation: (words) => ({
      subject: `Seu atendimento por vídeo: ${words.day} · ${words.company}`,
      paragraphs: [
        ...bodyPt(
          words,
          `Seu atendimento por vídeo com ${words.agent}, de ${words.company}, está confirmado:`,
        ),
        linkPt,
      ],
      ...PT_LINK,
    }),
    update: (words) => ({
      subject: `Seu atendimento por vídeo mudou: ${words.day} · ${words.company}`,
      paragraphs: [
        ...bodyPt(words, `Seu atendimento por vídeo em ${words.company} mudou. Agora é com ${words.agent}:`),
        linkPt,
      ],
      ...PT_LINK,
    }),
    cancellation: (words) => ({
      subject: `Seu atendimento por vídeo foi cancelado: ${words.day} · ${words.company}`,
      paragraphs: bodyPt(words, `Seu atendimento por vídeo em ${words.company} foi cancelado:`),
      footnote: 'O link que você recebeu não vale mais.',
    }),
    reminder: (words) => ({
      subject: `Lembrete do seu atendimento por vídeo: ${words.day} · ${words.company}`,
      paragraphs: [
        ...bodyPt(words, `Lembramos do seu atendimento por vídeo com ${words.agent}, de ${words.company}:`),
        linkPt,
      ],
      ...PT_LINK,
    }),
  },
  en: {
    invitation: (words) => ({
      subject: `Your video call: ${words.day} · ${words.company}`,
      paragraphs: [
        ...bodyEn(words, `Your video call with ${words.agent} of ${words.company} is confirmed:`),
        linkEn,
      ],
      ...EN_LINK,
    }),
    update: (words) => ({
      subject: `Your video call has changed: ${words.day} · ${words.company}`,
      paragraphs: [
        ...bodyEn(words, `Your video call with ${words.company} has changed. It is with ${words.agent} now:`),
        linkEn,
      ],
      ...EN_LINK,
    }),
    cancellation: (words) => ({
      subject: `Your video call was cancelled: ${words.day} · ${words.company}`,
      paragraphs: bodyEn(words, `Your video call with ${words.company} was cancelled:`),
      footnote: 'The link that you were sent is no longer good.',
    }),
    reminder: (words) => ({
      subject: `A reminder of your video call: ${words.day} · ${words.company}`,
      paragraphs: [
        ...bodyEn(words, `This is a reminder of your video call with ${words.agent} of ${words.company}:`),
        linkEn,
      ],
      ...EN_LINK,
    }),
  },
};
