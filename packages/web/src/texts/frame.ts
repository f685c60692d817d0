/** Around every page. */
export const frameTexts = {
  skip: 'Skip to the content',
  skipSections: 'Skip the list of sections',
  navigation: 'Main',
  signIn: 'Sign in',
  signOut: 'Sign out',
  account: 'Your account:',
  admin: 'Admin',
  cart: 'Cart',
  items: (count: number) => (count === 1 ? 'item' : 'items'),
}

export const codeTexts = {
  title: 'Your code, please',
  why: 'This step is protected by your second factor. Give a code, and it goes on where you were.',
  label: 'Code',
  appHint: 'Six digits from your authenticator app, or one of your backup codes.',
  smsHint: 'Six digits from the text message, or one of your backup codes.',
  send: 'Send a code to my phone',
  sendAgain: 'Send another code',
  sent: 'A text message with a code is on its way.',
  give: 'Continue',
  lost: 'Lost your device and backup codes?',
  cancel: 'Not now',
  missing: 'This needs a code of your second factor. Try again, and give one when you are asked.',
}

/** Where the demonstration keeps mails. */
export const keptMailsTexts = {
  text: 'This is the demonstration: mails stay on this machine.',
  link: 'Read them here',
}

/** In words of the pages, where the service speaks to programs. */
export const problemTexts: Record<string, string> = {
  missing_second_factor:
    'Administrators need a second factor here. Until you set one up, nothing else works: open “Security” in your account.',
  old_login: 'You signed in a while ago. Sign in again, then repeat this.',
  cart_locked: 'Your cart is held while you pay. Open it and choose “Change the cart” first.',
}
