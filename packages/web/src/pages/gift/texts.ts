import { messages } from '../../language.ts'

/** The page behind the emailed link of an offered emoji id. */
export const texts = messages({
  en: {
    title: 'An emoji id for you',
    forOrganization: 'An emoji id for your organization',
    from: (sender: string) => `From ${sender}`,
    unknown: 'The sender is hidden. Accept only if you expect this transfer.',
    to: (email: string) => `For ${email}`,
    about: 'With an emoji id, people find and pay you by typing a few emojis.',
    message: 'The sender’s message',
    contents: 'What comes with it',
    accept: 'Accept',
    decline: 'Decline',
    join: 'Choose a password and accept',
    joinText: 'The password opens your new account, where you manage your emoji id.',
    password: 'Password',
    passwordHint: (least: number) => `Use at least ${least} characters.`,
    signIn: 'Sign in to accept',
    signInText: (email: string) => `Sign in as ${email} to accept it.`,
    otherAccount: (name: string, email: string) =>
      `You’re signed in as ${name}. This offer is for ${email}.`,
    change: 'Sign out',
    unopened: 'Open the link from your email to see the offer.',
    unopenedText: 'In another browser, accept it with the code from the email.',
    gone: 'This link has expired, or the offer has ended.',
    goneText: 'Offers are open for seven days. Sign in to see your open offers.',
    toTransfers: 'See my transfers',
    accepted: 'It’s yours!',
    acceptedOrganization: 'It belongs to your organization now.',
    acceptedText: 'Add your payment addresses, so that people can pay you.',
    acceptedAddresses:
      'The sender’s addresses came with it and receive its payments now. Replace those that aren’t yours.',
    manage: 'Add my addresses',
    manageAddresses: 'Manage the addresses',
    declined: 'Declined',
    declinedText: 'The sender keeps the emoji id. We’ve told them.',
    toStart: 'Go to the start page',
    confirmDecline: 'Decline this emoji id?',
    confirmDeclineText: 'The sender keeps it. We’ll tell them.',
  },
})
