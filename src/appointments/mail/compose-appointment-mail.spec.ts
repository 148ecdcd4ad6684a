import { type MailedAppointment, composeAppointmentMail } from './compose-appointment-mail';
import { formatSchedule } from './format-schedule';

const APPOINTMENT: MailedAppointment = {
  id: '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11',
  title: 'Contrato; renovação, nº 7',
  starts_at: new Date('2027-01-29T15:00:00Z'),
  ends_at: new Date('2027-01-29T15:30:00Z'),
  sequence: 3,
  agent: 'Ana Souza',
  token: 'V1StGXR8',
  company: 'Padaria "Açaí"',
  language: 'pt-BR',
  timezone: 'America/Sao_Paulo',
  primary_color: '#2563eb',
  logo_url: null,
};
const TO = { name: 'João Lima', address: 'joao@example.com' };
const SENDER = {
  publicUrl: 'https://calls.example.com',
  mailFrom: { name: 'Calls', address: 'no-reply@calls.example.com' },
};
const NOW = new Date('2027-01-20T12:00:00.123Z');

const message = (
  kind: Parameters<typeof composeAppointmentMail>[1],
  changes: Partial<MailedAppointment> = {},
) => composeAppointmentMail({ ...APPOINTMENT, ...changes }, kind, TO, SENDER, NOW);

/** The unfolded lines of an iCalendar object (RFC 5545, 3.1). */
const linesOf = ({ calendar }: ReturnType<typeof message>) =>
  (calendar?.content ?? '').replaceAll('\r\n ', '').split('\r\n');

describe('formatSchedule', () => {
  it.each([
    [
      'pt',
      'America/Sao_Paulo',
      'sexta-feira, 29 de janeiro de 2027, 12:00 – 12:30 (Horário Padrão de Brasília)',
    ],
    ['en', 'America/Sao_Paulo', 'Friday, 29 January 2027, 12:00 – 12:30 (Brasilia Standard Time)'],
    ['es', 'America/Sao_Paulo', 'viernes, 29 de enero de 2027, 12:00 – 12:30 (hora estándar de Brasilia)'],
    ['en', 'UTC', 'Friday, 29 January 2027, 15:00 – 15:30 (UTC)'],
    ['en', 'Asia/Tokyo', 'Saturday, 30 January 2027, 00:00 – 00:30 (Japan Standard Time)'],
  ] as const)('in language %s and time zone %s', (language, zone, when) => {
    expect(formatSchedule(APPOINTMENT, zone, language).when).toBe(when);
  });

  it('names the day of the end when it differs from that of the start', () => {
    const times = { ...APPOINTMENT, ends_at: new Date('2027-01-30T03:30:00Z') };
    expect(formatSchedule(times, 'America/Sao_Paulo', 'en').when).toContain(
      '12:00 – Saturday, 30 January 2027, 00:30',
    );
  });
});

describe('composeAppointmentMail', () => {
  it.each([
    ['invitation', 'Seu atendimento por vídeo: sexta-feira', true],
    ['update', 'Seu atendimento por vídeo mudou: sexta-feira', true],
    ['reminder', 'Lembrete do seu atendimento por vídeo: sexta-feira', true],
    ['cancellation', 'Seu atendimento por vídeo foi cancelado: sexta-feira', false],
  ] as const)('%s contains title, time and link', (kind, subject, hasLink) => {
    const { text, html, subject: actualSubject, to } = message(kind);
    expect(to).toEqual({ ...TO, name: 'João' });
    expect(actualSubject).toContain(subject);
    for (const form of [text, html]) {
      expect(form).toContain('Olá, João.');
      expect(form).toContain('29 de janeiro de 2027, 12:00 – 12:30');
      expect(form).toContain('Contrato; renovação, nº 7');
      expect(form.includes('https://calls.example.com/c/V1StGXR8')).toBe(hasLink);
    }
  });

  it.each([
    ['invitation', 'Your video call: Friday'],
    ['update', 'Your video call has changed: Friday'],
    ['reminder', 'Reminder of your video call: Friday'],
    ['cancellation', 'Your video call was cancelled: Friday'],
  ] as const)('%s is in English for any other language', (kind, subject) => {
    const english = message(kind, { language: 'de', title: null });
    expect(english.subject).toContain(subject);
    expect(english.text).not.toContain('About');
  });

  it.each([
    ['invitation', 'Su videollamada: viernes'],
    ['update', 'Su videollamada ha cambiado: viernes'],
    ['reminder', 'Recordatorio de su videollamada: viernes'],
    ['cancellation', 'Su videollamada se canceló: viernes'],
  ] as const)('%s is in Spanish for a company of Spain or Mexico', (kind, subject) => {
    for (const language of ['es', 'es-MX']) expect(message(kind, { language }).subject).toContain(subject);
  });

  it('invites with a calendar event that has an id and a version', () => {
    const lines = linesOf(message('invitation'));
    expect(lines).toEqual(
      expect.arrayContaining([
        'METHOD:REQUEST',
        'UID:3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11',
        'SEQUENCE:3',
        'DTSTAMP:20270120T120000Z',
        'DTSTART:20270129T150000Z',
        'DTEND:20270129T153000Z',
        String.raw`SUMMARY:Contrato\; renovação\, nº 7`,
        'URL;VALUE=URI:https://calls.example.com/c/V1StGXR8',
        'STATUS:CONFIRMED',
      ]),
    );
    expect(lines.filter((line) => line.startsWith('ORGANIZER'))).toEqual([
      expect.stringMatching(/:mailto:no-reply@calls\.example\.com$/i),
    ]);
    expect(lines.filter((line) => line.startsWith('ATTENDEE'))).toEqual([
      expect.stringMatching(/RSVP=FALSE.*:mailto:joao@example\.com$/i),
    ]);
  });

  it('names the attendee by a URI without headers', () => {
    const to = { name: 'Eve', address: 'x?bcc=all+y@example.com' };
    const lines = linesOf(composeAppointmentMail(APPOINTMENT, 'invitation', to, SENDER, NOW));
    expect(lines.filter((line) => line.startsWith('ATTENDEE'))).toEqual([
      expect.stringMatching(/:mailto:x%3Fbcc%3Dall\+y@example\.com$/i),
    ]);
  });

  it('cancels the calendar event', () => {
    const { calendar } = message('cancellation');
    expect(calendar?.method).toBe('CANCEL');
    expect(linesOf(message('cancellation'))).toEqual(
      expect.arrayContaining(['METHOD:CANCEL', 'STATUS:CANCELLED', `UID:${APPOINTMENT.id}`, 'SEQUENCE:3']),
    );
    expect(calendar?.content).not.toContain('V1StGXR8');
  });

  it('attaches no calendar event to a reminder', () => {
    expect(message('reminder').calendar).toBeUndefined();
  });

  it('contains no URL from names and titles, and names the service', () => {
    const evil = 'Win at https://evil.example/now or evil.example';
    const changes = { title: evil, company: evil, agent: evil };
    const mail = composeAppointmentMail(
      { ...APPOINTMENT, ...changes },
      'invitation',
      { ...TO, name: evil },
      SENDER,
      NOW,
    );
    const all = [mail.subject, mail.to.name, mail.text, mail.html, ...linesOf(mail)].join('\n');
    expect(all).not.toContain('evil.example');
    expect(all).toContain('Win at … or evil example');
    expect(all).toContain('https://calls.example.com/c/V1StGXR8');
    expect(mail.text).toContain('serviço calls.example.com');
  });

  it('prevents line breaks in names and titles from adding calendar properties', () => {
    const evil = 'Eve\r\nSTATUS:TENTATIVE\r\nATTENDEE:mailto:all@example.com';
    const lines = linesOf(message('update', { title: evil, company: evil, agent: evil }));
    expect(lines.filter((line) => /^(STATUS|ATTENDEE)/.test(line))).toEqual(
      ['STATUS:CONFIRMED', expect.stringContaining('joao@example.com')].toReversed(),
    );
  });
});
