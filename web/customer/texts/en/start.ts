import { plural } from '../../../shared/texts/plural';
import { wait } from '../../../shared/texts/wait/en';

/** Before the line: the form, the hours, and what can go wrong. */
export const start = {
  language: 'Language',
  optional: 'optional',
  title: (company: string) => `Video call with ${company}`,
  tryAgain: 'Try again',
  /** After a tap on “Check again”. */
  unchanged: (time: string) => `Checked at ${time}: nothing has changed yet.`,
  close: 'Close',
  requestId: (id: string) => `If you ask for help, give this number: ${id}`,

  form: {
    lead: 'Talk to us by video. Join the line, and we will call you on this page.',
    name: 'Your name',
    email: 'E-mail',
    phone: 'Phone',
    reason: 'What is it about?',
    submit: 'Join the line',
    joining: 'Joining the line…',
    stop: 'Stop',
    openUntil: (time: string) => `Open until ${time}`,
    open: 'Open now',
    ahead: (n: number) =>
      n === 0 ? 'Nobody is waiting' : `${n} ${plural(n, 'person is', 'people are')} waiting`,
    wait: (range: string) => `Wait: ${range}`,
    nobody: 'Nobody is available to answer right now. You can join the line and wait.',
    welcome: (name: string) => `Welcome, ${name}. Your video call is here.`,
    appointmentWith: (agent: string) => `With ${agent}`,
    hadPlace: 'Your earlier place in the line has ended. You can join again.',
    privacy: 'Privacy notice',
    fields: {
      name: 'Please enter your name.',
      email: 'Please enter a complete e-mail address, for example ana@example.com.',
      phone: 'Please enter a shorter phone number.',
      reason: 'Please use fewer words: at most 2,000 characters.',
    },
  },

  resuming: {
    title: 'One moment…',
    text: 'We are looking for your place in the line.',
    stop: 'Begin again instead',
  },

  range: wait,

  closed: {
    title: 'We are closed now',
    opens: (time: string) => `We open ${time}.`,
    never: 'There is no next opening time yet.',
    dayAt: (day: string, time: string) => `${day} at ${time}`,
    text: 'Please come back then: this link will work.',
    callback: 'Would you like a message?',
    callbackText:
      'Leave your e-mail. When we have opened and it is nearly your turn, you get a message with a link to the call.',
    callbackSubmit: 'Write to me when it is my turn',
    checkAgain: 'Check again',
  },

  full: {
    title: 'The line is full',
    text: 'Many people are waiting right now. Please try again in a few minutes.',
  },

  unsupported: {
    inAppTitle: (app: string) => `Please open this page outside ${app}`,
    inAppText: 'Video calls do not work inside this app. Open the page in your browser:',
    app: 'this app',
    menuSteps: ['Tap the menu (⋯ or ⋮) at the corner of the screen.', 'Choose “Open in browser”.'],
    openBrowser: 'Open in the browser',
    copy: 'Copy the link',
    copied: 'Copied. Now paste it into your browser.',
    copyFailed: 'Hold your finger on the link and choose “Copy”.',
    oldTitle: 'This browser cannot make video calls',
    oldText: 'Please open the link in a current version of Chrome, Safari, Firefox or Edge.',
    insecureText:
      'This page was opened without a secure connection, so the browser allows neither camera nor microphone.',
    anyway: 'Go on without camera and microphone',
  },

  problem: {
    invalid_link: 'This link does not work',
    invalid_linkText: 'Please check that you opened the whole link, or ask the company for a new one.',
    link_expired: 'This link has expired',
    link_expiredText: 'Please ask the company for a new link.',
    link_used: 'This link has been used already',
    link_usedText: 'Please ask the company for a new link.',
    link_cancelled: 'This link was cancelled',
    link_cancelledText: 'Please ask the company for a new link.',
    link_not_yet_valid: 'It is too early for this link',
    link_not_yet_validText: 'Please come back shortly before your appointment.',
    validFrom: (time: string) => `It works from ${time}.`,
    tenant_suspended: 'Calls are not possible at the moment',
    tenant_suspendedText: 'The company cannot take calls here right now. Please try again later.',
    rate_limited: 'One moment, please',
    rate_limitedText: 'There are too many requests from your network. This page tries again by itself.',
    unavailable: 'The service is very busy',
    unavailableText: 'This page tries again by itself in a moment.',
    unknown: 'Something went wrong',
    unknownText: 'This is not your fault. Please try again in a moment.',
  },

  errors: {
    network: 'No connection to the service. We keep trying.',
    networkOnce: 'No connection to the service. Please try again.',
    rate_limited: 'There are too many requests from your network. We will try again shortly.',
    rate_limitedOnce: 'Too many requests came from your network. Please try again in a moment.',
    too_many_waiting: 'Too many people are waiting from your network. Please try again in a few minutes.',
    unavailable: 'The service is very busy. We keep trying.',
    unavailableOnce: 'The service is very busy. Please try again in a moment.',
    validation_failed: 'Please check what you entered.',
    queue_full: 'The line is full right now. Please try again in a few minutes.',
    department_closed: 'We are closed now. Please come back when we open.',
    callback_disabled: 'Messages are not possible here. Please wait on this page.',
    callback_invited: 'The message has been sent already.',
    callback_limit: 'No mail can be sent to this address today. If you are waiting, you keep your place.',
    invalid_transition: 'That is no longer possible.',
    already_rated: 'You have rated this call already. Thank you!',
    rating_closed: 'The time to rate this call is over.',
    rating_token_required: 'This page can no longer rate the call.',
    not_completed: 'This call cannot be rated.',
    token_expired: 'The time for this is over.',
    not_found: 'This call does not exist any more.',
    call_erased: 'Your details of this call were erased.',
    invalid_state: 'That is no longer possible.',
    not_requested: 'You are no longer being asked about this.',
    unauthenticated: 'The time for this is over.',
    token_invalid: 'The time for this is over.',
    too_many_files: 'You have sent ten files in this call, which is the limit.',
    chat_full: 'The chat of this call is full.',
    timeout: 'The service did not answer. Please try again.',
    disconnected: 'There is no connection right now. Please try again.',
    unknown: 'Something went wrong. Please try again.',
    nextTry: (seconds: string) => `Next attempt in ${seconds} s.`,
  },
};

export type StartTexts = typeof start;
