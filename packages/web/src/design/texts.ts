import { messages } from '../language.ts'

/** What the parts of pages say wherever they are. */
export const texts = messages({
  en: {
    name: 'Emoji Id Directory',
    waiting: 'One moment …',
    copied: 'Copied',
    frame: {
      skip: 'Skip to the content',
      skipSections: 'Skip the list of sections',
      navigation: 'Main',
      signIn: 'Sign in',
      signOut: 'Sign out',
      account: 'Your account:',
      admin: 'Admin',
      cart: 'Cart',
      items: (count: number) => (count === 1 ? 'item' : 'items'),
    },
    code: {
      title: 'Your code, please',
      why: 'This step is protected by your second factor. Give a code, and it goes on where you were.',
      label: 'Code',
      appHint: 'Six digits from your authenticator app, or one of your backup codes.',
      smsHint: 'Six digits from the text message, or one of your backup codes.',
      send: 'Send a code to my phone',
      sendAgain: 'Send another code',
      sent: 'A text message with a code is on its way.',
      give: 'Continue',
      cancel: 'Not now',
    },
    /** Where the demonstration keeps mails. */
    keptMails: {
      text: 'This is the demonstration: mails stay on this machine.',
      link: 'Read them here',
    },
    /** In words of the pages, where the service speaks to programs. */
    problems: {
      missing_second_factor:
        'Administrators need a second factor here. Until you set one up, nothing else works: open “Security” in your account.',
      old_login: 'You signed in a while ago. Sign in again, then repeat this.',
      cart_locked: 'Your cart is held while you pay. Open it and choose “Change the cart” first.',
    } as Readonly<Record<string, string>>,
    list: {
      all: 'All',
      range: (first: number, last: number, total: number) => {
        const all = total.toLocaleString('en')
        if (total === 0) return 'Nothing found'
        return first > total
          ? `${all} in all`
          : `${first.toLocaleString('en')}–${last.toLocaleString('en')} of ${all}`
      },
      page: (page: number, pages: number) =>
        `Page ${page.toLocaleString('en')} of ${pages.toLocaleString('en')}`,
      previous: 'Previous',
      next: 'Next',
    },
    confirm: {
      reason: 'Reason',
      reasonHint: 'It is kept in the audit log, together with your name.',
      reasonShort: 'Say why, in at least three letters.',
      cancel: 'Cancel',
    },
    card: {
      named: (brand: string, last4: string) => `${brand} ending in ${last4}`,
      unknownBrand: 'Card',
    },
    /** What tells people from programs. */
    captcha: {
      label: 'Show that you are a person',
      loading: 'Getting a short check that you are a person …',
      missing: 'Show that you are a person first: solve the check above the button.',
      refused:
        'The check was not accepted: it may have taken too long. Solve it again, and try again.',
      expired: 'The check took too long and has expired. Solve it again.',
      broken: (host: string) =>
        `The check that you are a person could not be loaded. Allow this page to load scripts from ${host}, see whether you are online, and try again.`,
      again: 'Load it again',
    },
    /** For who comes to a page that is not for everybody, or was signed out on it. */
    signedOut: {
      text: 'This is yours alone: sign in to see it. You come back here afterwards.',
      over: 'You were signed out meanwhile, so nothing was saved. Changes that you noted for an emoji id are kept in this window: sign in here, and go on with them.',
      register: 'Create an account',
    },
    /** Whoever leaves a page with work that it alone has. */
    unsaved: {
      title: 'Leave without saving?',
      text: 'What you changed on this page is not saved yet.',
      stay: 'Stay here',
      leave: 'Leave',
    },
  },
})
