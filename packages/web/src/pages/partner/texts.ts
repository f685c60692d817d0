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
      connect: (name: string) => `Have your emoji id lead to your addresses at ${name}.`,
      manage: (name: string) => `What you own, and what it leads to. ${name} sent you here.`,
    },
    steps: {
      title: 'How it goes',
      create: [
        'Find an emoji id that you like',
        'Get it: it is held for you while you pay',
        'Check the addresses that it leads to',
      ],
      connect: ['Sign in', 'Choose one of your emoji ids', 'Check the addresses that it leads to'],
    },
    unknown: {
      title: 'There is no such partner',
      text: (path: string) =>
        `Nobody sends people here as “${path}”. Go back to the app that you came from and tell its makers; or look around here by yourself.`,
    },
    refused: (name: string) =>
      `We could not sign you in with what ${name} sent along: it is too old, or still waits for a code. Sign in here instead; everything else is kept.`,
    start: {
      find: 'Find my emoji id',
      findText: 'Look around first: you create an account when you have found one.',
      have: 'I have an account',
      signInText: 'Sign in with the e-mail address that your emoji ids belong to.',
      byPassword: 'Sign in with a password',
    },
    who: {
      title: 'Is this you?',
      text: (name: string) => `${name} sent you here as`,
      textHere: 'You are signed in here as',
      unconfirmed:
        'Nobody has confirmed an e-mail address of this account: anybody may have given it this name. Go on only if you made it yourself.',
      consequence: 'What you get or change here belongs to this account.',
      yes: 'Yes, go on',
      other: 'Not you? Sign in as somebody else',
    },
    email: {
      title: 'Your e-mail address, please',
      text: (name: string) =>
        `${name} wants every account to have an e-mail address. It also gets your receipts, and lets you back in should you lose everything else.`,
      password: 'Password of this account',
      passwordHint: 'So that nobody else changes where your mails go.',
      send: 'Confirm the address by mail',
      sent: (email: string) => `We mailed a link to ${email}. Open it, then go on here.`,
      done: 'I have opened it',
      notYet: 'The address is not confirmed yet. Open the link in the mail, and try again.',
    },
    own: {
      title: 'You have this one already',
      use: 'Use it',
      another: 'Find another',
    },
    choose: {
      title: 'Which one?',
      text: 'Choose the emoji id that shall lead to your wallet.',
      none: 'This account has no emoji id yet.',
      get: 'Get one',
      choose: (name: string) => `Choose ${name}`,
    },
    review: {
      title: 'Check the addresses',
      text: (name: string) =>
        `Whoever pays this emoji id pays to these addresses. Go on only if they are yours at ${name}.`,
      states: { new: 'New', same: 'As it is', replaces: 'Replaces', refused: 'Not written' },
      instead: 'Instead of',
      signatureGoes: 'That one carries a signature, which goes with it.',
      wallet: 'Wallet',
      include: 'Write',
      save: (count: number) => (count === 1 ? 'Write this address' : `Write ${count} addresses`),
      skip: (name: string) => `Go back to ${name} without writing any`,
      nothingNew: 'Everything is as it should be: there is nothing to write.',
      restIsGood: 'There is nothing to write: the rest is as it should be.',
      nothingGood: 'None of these addresses can be written.',
      none: (name: string) =>
        `${name} sent no addresses along. You can add one by hand, or go back.`,
      lost: (name: string) =>
        `The addresses that ${name} sent along stayed in the browser where you asked for the link. Open the link there, or come from ${name} again. You can also add one by hand.`,
      notOffered: (name: string) => `${name} does not offer this currency.`,
      notYours: 'This emoji id is not one of yours. Choose one that is.',
      saved: 'The addresses are written.',
      unreadTitle: 'Could not be read',
      unread: {
        too_long: 'This is too long. Nothing of it was read.',
        too_many: 'These are too many addresses. None was read.',
        base64: 'This is not Base64. Nothing of it was read.',
        json: 'This is not the list that it should be. Nothing of it was read.',
        pair: 'This does not name a currency and an address.',
        tag: 'This is no currency that we know.',
        twice: 'This currency came with different addresses, so that neither was taken.',
      },
      unreadAdvice: (name: string) => `Tell ${name} about it; the rest is not affected.`,
    },
    back: {
      to: (name: string) => `Go back to ${name}`,
      going: (name: string) => `Leading you back to ${name} …`,
      stuck: (name: string) => `Nothing happens? Open ${name} yourself: all is done here.`,
    },
    receipt: {
      title: 'One step left',
      addresses: (name: string) =>
        `${name} sent addresses along. Check them, and they go to your emoji id.`,
      text: (name: string) => `Tell ${name} which emoji id is yours.`,
      goOn: 'Go on',
    },
    manage: {
      addresses: 'Addresses',
      profile: 'Page and pictures',
      transfer: 'Transfer',
      page: 'Open its page',
      empty: 'Leads nowhere yet',
      more: (count: number) => `and ${count} more`,
      none: 'This account has no emoji id yet.',
    },
  },
})
