import type { MailLanguage } from '../../tenancy/mail/mail-language';
import type { MailText, RecipientNames } from '../mail/mail-text';

/** Sent with the link to choose a new password. */
export const RESET_TEXTS: Record<MailLanguage, (names: RecipientNames) => MailText> = {
  pt: ({ company, mailed_slug: slug }) => ({
    subject: `Redefina sua senha · ${company}`,
    paragraphs: [
      `Alguém, provavelmente você, pediu uma nova senha para a sua conta em ${company}. Escolha-a pelo link abaixo, que vale por 30 minutos e uma única vez.`,
      `Depois, entre com este e-mail${slug ? ` e a empresa "${slug}"` : ''}.`,
    ],
    action: 'Escolher nova senha',
    footnote: 'Se você não pediu, ignore esta mensagem: sua senha continua a mesma.',
  }),
  en: ({ company, mailed_slug: slug }) => ({
    subject: `Reset your password · ${company}`,
    paragraphs: [
      `Somebody, probably you, asked for a new password for your account at ${company}. Choose it with the link below, which works once within 30 minutes.`,
      `After that, log in with this e-mail address${slug ? ` and the company "${slug}"` : ''}.`,
    ],
    action: 'Choose a new password',
    footnote: 'If it was not you, ignore this message: your password stays as it is.',
  }),
  es: ({ company, mailed_slug: slug }) => ({
    subject: `Restablezca su contraseña · ${company}`,
    paragraphs: [
      `Alguien, probablemente usted, pidió una contraseña nueva para su cuenta en ${company}. Elíjala con el enlace de abajo, que vale durante 30 minutos y una sola vez.`,
      `Después, entre con este correo${slug ? ` y la empresa "${slug}"` : ''}.`,
    ],
    action: 'Elegir una contraseña nueva',
    footnote: 'Si no la pidió, ignore este mensaje: su contraseña sigue siendo la misma.',
  }),
};

/** Sent with the link to choose a first password. */
export const INVITATION_TEXTS: Record<MailLanguage, (names: RecipientNames) => MailText> = {
  pt: ({ company, mailed_slug: slug }) => ({
    subject: `Seu acesso a ${company}`,
    paragraphs: [
      `${company} criou uma conta para você no atendimento por vídeo. Escolha sua senha pelo link abaixo, que vale por 7 dias.`,
      `Depois, entre com este e-mail${slug ? ` e a empresa "${slug}"` : ''}.`,
    ],
    action: 'Escolher senha',
    footnote: 'Se você não esperava esta mensagem, ignore-a.',
  }),
  en: ({ company, mailed_slug: slug }) => ({
    subject: `Your access to ${company}`,
    paragraphs: [
      `${company} has created an account for you on its video call service. Choose your password with the link below, which works within 7 days.`,
      `After that, log in with this e-mail address${slug ? ` and the company "${slug}"` : ''}.`,
    ],
    action: 'Choose a password',
    footnote: 'If you did not expect this message, ignore it.',
  }),
  es: ({ company, mailed_slug: slug }) => ({
    subject: `Su acceso a ${company}`,
    paragraphs: [
      `${company} creó una cuenta para usted en su servicio de videollamadas. Elija su contraseña con el enlace de abajo, que vale durante 7 días.`,
      `Después, entre con este correo${slug ? ` y la empresa "${slug}"` : ''}.`,
    ],
    action: 'Elegir la contraseña',
    footnote: 'Si no esperaba este mensaje, ignórelo.',
  }),
};

/** Sent after a password change, in case the user did not make it. */
export const CHANGED_TEXTS: Record<MailLanguage, (names: RecipientNames) => MailText> = {
  pt: ({ company }) => ({
    subject: `Sua senha foi alterada · ${company}`,
    paragraphs: [
      `A senha da sua conta em ${company} foi alterada, e as sessões em outros aparelhos foram encerradas.`,
    ],
    footnote: 'Se não foi você, fale agora com um gestor da sua empresa.',
  }),
  en: ({ company }) => ({
    subject: `Your password was changed · ${company}`,
    paragraphs: [
      `The password of your account at ${company} was changed, and the sessions on other devices were ended.`,
    ],
    footnote: 'If it was not you, contact a manager of your company now.',
  }),
  es: ({ company }) => ({
    subject: `Su contraseña ha cambiado · ${company}`,
    paragraphs: [
      `La contraseña de su cuenta en ${company} ha cambiado, y se cerraron las sesiones en otros dispositivos.`,
    ],
    footnote: 'Si no fue usted, contacte ahora con un gestor de su empresa.',
  }),
};

/** Sent after a manager set the password. */
export const SET_TEXTS: Record<MailLanguage, (names: RecipientNames) => MailText> = {
  pt: ({ company, mailed_slug: slug }) => ({
    subject: `Um gestor trocou sua senha · ${company}`,
    paragraphs: [
      `Um gestor definiu uma nova senha para sua conta em ${company}, e todas as sessões foram encerradas. Peça a senha a ele, entre com este e-mail${slug ? ` e a empresa "${slug}"` : ''}, e escolha outra em "Minha conta".`,
    ],
    footnote: 'Se você não sabia, fale agora com um gestor da sua empresa.',
  }),
  en: ({ company, mailed_slug: slug }) => ({
    subject: `A manager changed your password · ${company}`,
    paragraphs: [
      `A manager set a new password for your account at ${company}, and all sessions were ended. Ask them for the password, log in with this e-mail address${slug ? ` and the company "${slug}"` : ''}, and choose another one under "My account".`,
    ],
    footnote: 'If you did not expect this, contact a manager of your company now.',
  }),
  es: ({ company, mailed_slug: slug }) => ({
    subject: `Un gestor cambió su contraseña · ${company}`,
    paragraphs: [
      `Un gestor definió una contraseña nueva para su cuenta en ${company}, y se cerraron todas las sesiones. Pídale la contraseña, entre con este correo${slug ? ` y la empresa "${slug}"` : ''}, y elija otra en "Mi cuenta".`,
    ],
    footnote: 'Si no lo esperaba, contacte ahora con un gestor de su empresa.',
  }),
};
