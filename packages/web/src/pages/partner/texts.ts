import { messages } from '../../language.ts'

/** The pages that partners send their users to. */
export const texts = messages({
  en: {
    titles: {
      create: 'Get your emoji id',
      connect: 'Connect your emoji id',
      manage: 'Your emoji ids',
    },
    intros: {
      create: (name: string) => `A few emojis instead of long addresses, for ${name}.`,
      connect: (name: string) => `Link your emoji id to your addresses at ${name}.`,
      manage: (name: string) => `Your emoji ids and their addresses. ${name} sent you here.`,
    },
    steps: {
      title: 'How it works',
      create: [
        'Find an emoji id you like',
        'Get it: we hold it while you pay',
        'Check its addresses',
      ],
      connect: ['Sign in', 'Choose one of your emoji ids', 'Check its addresses'],
    },
    unknown: {
      title: 'Unknown partner',
      text: (path: string) =>
        `We don’t know a partner “${path}”. Go back to the application you came from and report this link.`,
    },
    refused: (name: string) =>
      `We couldn’t sign you in with the link from ${name}: it has expired or still needs a code. Sign in here instead; nothing else is lost.`,
    start: {
      find: 'Find my emoji id',
      findText: 'Look around first. You create an account once you’ve found one.',
      have: 'I have an account',
      signInText: 'Sign in with the email address of your emoji ids.',
      byPassword: 'Sign in with a password',
    },
    who: {
      title: 'Is this you?',
      text: (name: string) => `${name} sent you here as`,
      textHere: 'You are signed in here as',
      unconfirmed:
        'The email address of this account isn’t confirmed, so the name could be wrong. Continue only if you created it yourself.',
      noAddress:
        'This account has no email address, so anyone could have created it. Continue only if you created it yourself.',
      consequence: 'Everything you buy or change here belongs to this account.',
      consequenceSent: (name: string) =>
        `Everything you buy or change here belongs to this account. ${name} stays signed in to it.`,
      yes: 'Yes, continue',
      other: 'Not you? Use another account',
    },
    email: {
      title: 'Add your email address',
      text: (name: string) =>
        `${name} requires an email address. We send receipts there, and you sign in with it from then on.`,
      password: 'Account password',
      passwordHint: 'We ask so that only you can change your address.',
      send: 'Email me a link',
      sent: (email: string) =>
        `We emailed a link to ${email}. Open it in this browser, then continue here.`,
      done: 'I’ve opened it',
      notYet: 'The address isn’t confirmed yet. Open the link in the email and try again.',
    },
    own: {
      title: 'You already own this one',
      use: 'Use it',
      another: 'Find another',
    },
    choose: {
      title: 'Which one?',
      text: 'Choose the emoji id to link to your wallet.',
      none: 'This account has no emoji id yet.',
      get: 'Get one',
      choose: (name: string) => `Choose ${name}`,
    },
    review: {
      title: 'Check the addresses',
      text: (name: string) =>
        `Payers of this emoji id pay to these addresses. Continue only if they’re yours at ${name}.`,
      states: { new: 'New', same: 'Unchanged', replaces: 'Replaces', refused: 'Not saved' },
      instead: 'Current address',
      signatureGoes: 'It carries a signature, which is removed too.',
      wallet: 'Wallet',
      include: 'Save',
      save: (count: number) => (count === 1 ? 'Save this address' : `Save ${count} addresses`),
      skip: (name: string) => `Return to ${name} without saving`,
      nothingNew: 'All addresses are up to date.',
      restIsGood: 'Nothing to save: all other addresses are up to date.',
      nothingGood: 'None of these addresses can be saved.',
      none: (name: string) => `${name} sent no addresses. You can add one yourself or go back.`,
      lost: (name: string) =>
        `The addresses from ${name} are in the browser where you asked for the link. Open the link there, or start again from ${name}. You can also add one yourself.`,
      notOffered: (name: string) => `${name} doesn’t support this currency.`,
      notYours: 'You don’t own this emoji id. Choose one of yours.',
      saved: 'Addresses saved.',
      unreadTitle: 'Couldn’t be read',
      unread: {
        too_long: 'The list is too long and was ignored.',
        too_many: 'There are too many addresses. All were ignored.',
        base64: 'This isn’t valid Base64 and was ignored.',
        json: 'This isn’t a valid list and was ignored.',
        pair: 'This doesn’t name a currency and an address.',
        tag: 'Unknown currency.',
        twice: 'This currency has several different addresses. All were ignored.',
      },
      unreadAdvice: (name: string) => `Please tell ${name}. The other addresses aren’t affected.`,
    },
    back: {
      to: (name: string) => `Go back to ${name}`,
      going: (name: string) => `Returning you to ${name} …`,
      stuck: (name: string) => `Nothing happens? Open ${name} yourself. Everything is done here.`,
    },
    receipt: {
      title: 'One step left',
      addresses: (name: string) =>
        `${name} sent addresses. Check them to add them to your emoji id.`,
      text: (name: string) => `Tell ${name} which emoji id is yours.`,
      goOn: 'Continue',
    },
    manage: {
      review: (name: string) => `Check addresses from ${name}`,
      all: 'All your emoji ids',
      addresses: 'Addresses',
      profile: 'Page and pictures',
      transfer: 'Transfer',
      page: 'Open its page',
      empty: 'No addresses yet',
      more: (count: number) => `and ${count} more`,
      none: 'This account has no emoji id yet.',
    },
  },
})
