import { plural } from '../../../shared/texts/plural';

/** From the line to the rating. */
export const line = {
  waiting: {
    title: 'You are in the line',
    next: 'You are next',
    position: (n: string) => `Place ${n} in the line`,
    ahead: (n: number) =>
      n === 0 ? 'Nobody is ahead of you.' : `${n} ${plural(n, 'person is', 'people are')} ahead of you.`,
    positionLabel: 'Your place',
    waitLabel: 'Estimated wait',
    noWait: 'Not known right now',
    noWaitHint: 'Nobody may be available at the moment. You keep your place.',
    ringing: 'An agent is being called now',
    roughWait: 'This is a rough estimate. You keep your place.',
    stay: 'Keep this page open. We will call you here.',
    mayLeave: (minutes: string) =>
      `If your phone locks or the network fails, you keep your place for ${minutes}.`,
    unanswered: 'Sorry, nobody could answer just then. You are back at your place in the line.',
    transferred: (department: string) => `You are being transferred to ${department}. Please wait a moment.`,
    closing: (time: string) => `We close at ${time}. Calls that are still waiting then will end.`,
    closingCallback: 'Ask to be called back, and you keep your place.',
    leave: 'Leave the line',
    leaveNow: 'Leave now',
    leaving: 'Leaving the line…',
    leaveUndo: 'Stay in the line',
    reconnecting: 'No connection. Trying to reconnect; you keep your place.',
    lost: 'Still no connection. Your place may have ended meanwhile. We keep trying.',
    soundOn: 'Tell me when I am called',
    soundIsOn: 'You will hear a sound when you are called.',
  },

  deviceCheck: {
    title: 'Try your camera and microphone',
    text: 'You can see and hear beforehand whether everything works. Nobody else sees you yet.',
    start: 'Try now',
  },

  callback: {
    offer: 'Would you rather not wait?',
    offerText: 'Keep your place and get an e-mail when it is nearly your turn.',
    request: 'Write to me when it is my turn',
    email: 'Your e-mail for the message',
    send: 'Keep my place',
    to: (email: string) => `The message goes to ${email}.`,
    change: 'Change the address',
    requested: 'You can go now',
    requestedText:
      'You keep your place. We will send you a message with a link when it is nearly your turn. You can close this page.',
    cancel: 'I prefer to wait here',
    invited: 'It is nearly your turn',
    invitedText: 'Are you there? Then tap the button.',
    invitedUntil: (time: string) => `We keep your place until ${time}.`,
    back: 'I am here',
  },

  called: {
    title: 'It is your turn',
    agent: (name: string) => `${name} is coming.`,
    someone: 'A colleague is coming.',
    text: 'Please stay here. The call begins in a moment.',
    announce: 'It is your turn! The call begins in a moment.',
    tabTitle: 'It is your turn!',
  },

  unread: {
    chat: (n: number) => `Chat, ${n} new ${plural(n, 'message', 'messages')}`,
  },

  notification: {
    called: {
      title: 'It is your turn',
      body: (company: string) => `${company} is calling you. Please return to the page.`,
    },
    invited: {
      title: 'It is nearly your turn',
      body: (company: string) => `${company} keeps your place. Please return to the page and tap the button.`,
    },
  },

  ended: {
    left: 'You have left the line',
    leftText: 'Thank you for coming. You can join again at any time.',
    cancelled: 'Your place in the line was cancelled',
    cancelledText: 'Please join again, or contact the company in another way.',
    absent: 'You were away for too long',
    absentText: 'Your place in the line has ended, because this page had no connection for too long.',
    unanswered: 'Sorry, nobody could answer in time',
    unansweredText: 'Your waiting time is over. Please try again later.',
    closed: 'We have closed',
    closedText: 'Sorry, nobody could answer before closing time.',
    callback_expired: 'The time to return is over',
    callback_expiredText: 'We invited you, and you did not return in time. You can join the line again.',
    missed: 'Sorry, nobody answered your call',
    missedText: 'You were called, and the connection was not made. Please join again.',
    gone: 'Your place in the line has ended',
    goneText: 'You were away for too long, or the call is over. You can join the line again.',
    return_link_invalid: 'This link to return no longer works',
    return_link_invalidText: 'The call has ended, or the link is not complete. You can join the line again.',
    unknown: 'Your place in the line has ended',
    unknownText: 'You were away for too long, or nobody could answer in time. You can join the line again.',
    joinAgain: 'Join the line again',
  },

  tabs: {
    title: 'The call is open in another tab',
    text: 'Only one tab or device can hold the call.',
    takeOver: 'Continue here',
    otherDevice: 'The call continues on another device',
    otherDeviceText: 'You opened it there by the link in the message. You can close this page.',
  },

  rating: {
    title: 'The call has ended',
    lost: 'The connection was lost',
    lostText: 'The call ended because the connection did not come back in time.',
    question: 'How was the call?',
    stars: ['Very bad', 'Bad', 'OK', 'Good', 'Very good'],
    star: (n: string, word: string) => `${n} of 5: ${word}`,
    comment: 'Would you like to tell us more?',
    submit: 'Send',
    sending: 'Sending…',
    skip: 'Not now',
    choose: 'Please choose from 1 to 5.',
    thanks: 'Thank you!',
    thanksText: 'Your opinion helps us. You can close this page.',
    goodbye: 'Goodbye!',
    goodbyeText: 'You can close this page.',
    forget: 'This is not my device: remove my data',
    forgotten: 'Your data was removed from this device.',
  },
};

export type LineTexts = typeof line;
