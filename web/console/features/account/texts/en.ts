const en = {
  mustEnrol: {
    title: 'Set up two-step login first',
    text: 'Your company requires two-step login. Everything else is available as soon as you have set it up here.',
  },
  data: 'Your data',
  dataText: 'A manager of your company can change it.',
  dataTextManager: 'You can change it on the page “Users”.',
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  role: 'Role',
  skills: 'Skills (level)',
  lastLogin: 'Last login',
  password: {
    title: 'Password',
    text: (email: string) =>
      `A link to choose a new password is sent to ${email}. A new password ends all your logins.`,
    send: 'Change the password',
    sent: (email: string) => `An e-mail with a link is on its way to ${email}. It is valid for 30 minutes.`,
  },
  sessions: 'Where you are logged in',
  sessionsText: 'End a login that you do not know, and change your password then.',
  thisOne: 'This browser',
  unknownDevice: 'Unknown device',
  unknownAddress: 'unknown address',
  sessionFacts: (since: string, used: string, address: string) =>
    `Since ${since}, last used ${used}, from ${address}`,
  endSession: 'End',
  endQuestion: (device: string) => `${device} will be logged out at once.`,
  sessionEnded: (device: string) => `${device} was logged out.`,
  twoStep: {
    title: 'Two-step login',
    text: 'Besides your password, each login then asks for a code of an app on your phone.',
    on: 'On',
    off: 'Off',
    setUp: 'Set up two-step login',
    switchOff: 'Switch off two-step login',
    switchOffText: 'From then on your password alone is enough to log in.',
    switchedOff: 'Two-step login is off.',
    goOn: 'Continue',
    scan: 'Scan this code with an authenticator app, and type the code that the app shows.',
    qrCode: 'QR code for the authenticator app',
    secret: 'Or type this secret into the app:',
    copySecret: 'Copy the secret',
    openApp: 'Open the authenticator app of this device',
    code: 'Code of the app',
    passwordText: 'You logged in a while ago, so your password is needed.',
    codesTitle: 'Two-step login is on. Keep these recovery codes.',
    codesText:
      'Each of them replaces the app for one login, for example when your phone is lost. They are not shown again.',
    download: 'Download',
    kept: 'I have kept them',
  },
};

export default en;
export type AccountTexts = typeof en;
