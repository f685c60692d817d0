import { messages } from '../language.ts'

/** Texts of shared page parts. */
export const texts = messages({
  en: {
    name: 'Emoji Id Directory',
    waiting: 'One moment …',
    copied: 'Copied',
    frame: {
      skip: 'Skip to content',
      skipSections: 'Skip sections',
      navigation: 'Main',
      signIn: 'Sign in',
      signOut: 'Sign out',
      account: 'Your account:',
      admin: 'Admin',
      notifications: 'Notifications',
      unread: (count: number) => `${count} unread`,
      cart: 'Cart',
      items: (count: number) => (count === 1 ? 'item' : 'items'),
    },
    code: {
      title: 'Enter your code',
      why: 'This action is protected by your second factor. Enter a code to continue.',
      label: 'Code',
      appHint: 'Six digits from your authenticator app, or one of your backup codes.',
      smsHint: 'Six digits from the text message, or one of your backup codes.',
      send: 'Send a code to my phone',
      sendAgain: 'Send another code',
      sent: 'A text message with a code is on its way.',
      give: 'Continue',
      cancel: 'Not now',
    },
    /** The mailbox of the demonstration. */
    demoMailbox: {
      text: 'In this demonstration, emails stay here.',
      link: 'Read them here',
    },
    /** Error codes whose API texts address programs, in words for people. */
    problems: {
      missing_second_factor:
        'Administrators need a second factor. Set one up under “Security” in your account.',
      wrong_credentials:
        'The name or password is wrong. If your account was deactivated, our email says why.',
      old_login: 'You signed in a while ago. Sign in again, then retry.',
      cart_locked: 'Your cart is held while you pay. Open it and choose “Change cart” first.',
    } as Readonly<Record<string, string>>,
    list: {
      all: 'All',
      range: (first: number, last: number, total: number) => {
        const all = total.toLocaleString('en')
        return first > total
          ? `${all} in all`
          : `${first.toLocaleString('en')}–${last.toLocaleString('en')} of ${all}`
      },
      page: (page: number, pages: number) =>
        `Page ${page.toLocaleString('en')} of ${pages.toLocaleString('en')}`,
      previous: 'Previous',
      next: 'Next',
      csv: {
        action: 'Export as CSV',
        done: 'The list was saved as a CSV file.',
        cut: 'The file has the first 100,000 rows. Set more filters to export the others.',
      },
    },
    confirm: {
      reason: 'Reason',
      reasonHint: 'Saved in the audit log with your name.',
      reasonShort: (least: number) => `Enter a reason of at least ${least} letters.`,
      cancel: 'Cancel',
    },
    card: {
      named: (brand: string, last4: string) => `${brand} ending in ${last4}`,
      unknownBrand: 'Card',
    },
    /** The captcha. */
    captcha: {
      label: 'Confirm that you’re human',
      loading: 'Loading a short check that you’re human …',
      missing: 'Solve the check above the button first.',
      refused: 'The check wasn’t accepted. Solve it again.',
      expired: 'The check has expired. Solve it again.',
      broken: (host: string) =>
        `The check couldn’t be loaded. Allow scripts from ${host}, check your connection and try again.`,
      again: 'Reload the check',
    },
    /** For signed-out visitors of a page that needs an account. */
    signedOut: {
      text: 'Sign in to see this page.',
      over: 'You were signed out, so nothing was saved. Sign in here to continue: unsaved changes to an emoji id are still in this window.',
      register: 'Create an account',
    },
    /** The question before leaving a page with unsaved changes. */
    unsaved: {
      title: 'Leave without saving?',
      text: 'Your changes on this page aren’t saved.',
      stay: 'Stay',
      leave: 'Leave',
    },
  },
})
