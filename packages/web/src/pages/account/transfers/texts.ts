import { messages } from '../../../language.ts'

/** Sending and receiving ids. */
export const texts = messages({
  en: {
    text: 'The sender confirms with an emailed code. The recipient opens the emailed link, or enters its code here. Accounts without an email address use their password or authenticator app.',
    send: 'Send an emoji id',
    form: {
      title: 'Send an emoji id',
      which: 'Which one?',
      find: 'Find',
      findHint: 'Emojis, or their names',
      more: (count: number, total: number) =>
        `The first ${count} of ${total}. Type to find others.`,
      none: 'You have no emoji id to send.',
      get: 'Find an emoji id',
      notFound: 'No match among your emoji ids.',
      minted: 'Its token doesn’t move with it. Send the token on the blockchain first.',
      resting: 'It just changed owners. You can send it from',
      to: 'Recipient',
      byEmail: 'Email address',
      byKey: 'Public key',
      email: 'Recipient’s email address',
      emailHint: 'If they have no account, we’ll invite them.',
      key: 'Recipient’s public key',
      keyHint: '64 hex digits; a key held by us or proven',
      message: 'Message',
      messageHint: 'Optional. The recipient reads it in the email and with the offer.',
      showSender: 'Show my email address to the recipient',
      showSenderHint: 'They see who the gift is from. Otherwise the sender stays hidden.',
      contents: 'What moves with the id?',
      without: 'Without my addresses',
      withoutHint: 'Its addresses, page and pictures are deleted when the recipient accepts.',
      with: 'With my addresses, page and pictures',
      withHint: 'Payments go to your addresses until the recipient changes them.',
      next: 'Continue',
      cancel: 'Cancel',
      notChosen: 'Choose an emoji id to send.',
    },
    confirm: {
      title: 'Send this emoji id?',
      to: (receiver: string) => `Recipient: ${receiver}.`,
      empty: 'It arrives empty: its records are deleted.',
      full: 'Addresses, page and pictures move with the id.',
      shown: 'The recipient sees your email address.',
      final: 'You can cancel until the recipient accepts. You confirm it in the next step.',
      action: 'Send it',
    },
    incoming: {
      title: 'Incoming',
      caption: 'Incoming transfers',
      none: 'No incoming transfers.',
      noneText: 'If someone sends you an emoji id, we tell you, and it waits here.',
      withAccepted: 'Include accepted transfers',
    },
    outgoing: {
      title: 'Outgoing',
      caption: 'Outgoing transfers',
      none: 'No outgoing transfers.',
      noneText: 'To send an emoji id, choose it among your ids.',
      toIds: 'See my emoji ids',
      pages: 'Transfer pages',
    },
    columns: { id: 'Emoji id', state: 'State', actions: 'Actions' },
    to: (receiver: string) => `To ${receiver}`,
    organization: 'For your organization. Its owners and controllers can accept it.',
    from: 'We don’t show who is sending this. Check with the person you expect it from.',
    sender: (email: string) => `From ${email}`,
    ofOrganization: {
      state: 'Accepted',
      next: 'It’s among the emoji ids of your organization.',
    },
    keyReceiver: 'a public key',
    states: {
      outgoing: {
        awaiting_sender: 'Waiting for you',
        awaiting_receiver: 'Waiting for the recipient',
        accepted: 'Accepted',
        ended: 'Ended',
      },
      incoming: {
        awaiting_sender: 'Waiting for the sender',
        awaiting_receiver: 'Offered to you',
        accepted: 'Yours',
        ended: 'Ended',
      },
    },
    next: {
      outgoing: {
        awaiting_sender: 'Confirm it to make the offer.',
        awaiting_receiver:
          'We told the recipient, who can accept it now. You don’t have to do anything.',
        accepted: 'The recipient owns it now.',
        ended: 'The transfer ended without a change of owner.',
      },
      incoming: {
        awaiting_sender: 'The sender has to confirm first. We’ll tell you when it’s your turn.',
        awaiting_receiver: 'Accept or decline it. The offer expires after seven days.',
        accepted: 'It’s among your emoji ids.',
        ended: 'The transfer ended without a change of owner.',
      },
    },
    offerCode: {
      label: 'Code of an offer',
      hint: 'It confirms your address too. Eight letters and digits from the email.',
      action: 'Show the offer',
      confirmed: 'Your address is confirmed. Here is the offer.',
    },
    message: 'Message:',
    contents: {
      empty: 'Arrives empty',
      full: (records: number) =>
        records === 0
          ? 'Has no records'
          : `Arrives with ${records === 1 ? '1 record' : `${records} records`}`,
      addresses: 'Addresses that come with it',
      check:
        'These are the sender’s addresses. Payments go there until you change them, so check each one after you accept.',
    },
    token: {
      stays:
        'This emoji id was minted or may have been, and its token does not come along. The holder of the token can sell it to others.',
      confirm: 'I accept the emoji id without its token',
    },
    begun: 'Started',
    giveCode: 'Confirm',
    accept: 'Accept',
    decline: 'Decline',
    cancelTransfer: 'Cancel transfer',
    confirmCancel: {
      outgoing: {
        title: 'Cancel this transfer?',
        text: 'You keep the emoji id. We’ll tell the recipient.',
        action: 'Cancel the transfer',
        done: 'Transfer cancelled. You keep the emoji id.',
      },
      incoming: {
        title: 'Decline this emoji id?',
        text: 'The sender keeps it. We’ll tell them.',
        action: 'Decline it',
        done: 'Declined. The sender keeps the emoji id.',
      },
    },
    code: {
      senderTitle: 'Confirm the transfer',
      receiverTitle: 'Accept the emoji id',
      mailed: (email: string) =>
        `We emailed a code to ${email}, valid for 15 minutes. Five wrong codes end the transfer.`,
      offered: (email: string) =>
        `We emailed a link to ${email}, and a code that is valid for a day. Five wrong codes end the transfer.`,
      opened:
        'You opened the emailed link or entered its code in this browser, so you don’t need a code.',
      app: 'Enter a code from your authenticator app. Five wrong codes end the transfer.',
      password: 'Enter the password of your account. Five wrong ones end the transfer.',
      noPassword: 'If you don’t know it, set up an authenticator app and use its code.',
      security: 'Set up an app',
      label: 'Code',
      passwordLabel: 'Password',
      mailHint: 'Eight letters and digits',
      appHint: 'Six digits',
      confirm: 'Confirm',
      accept: 'Accept it',
      later: 'Later',
      close: 'Close',
      resend: 'Email another code',
      resent: 'Another code is on its way. The previous one no longer works.',
      confirmed: 'Confirmed. Now the recipient has to accept.',
      accepted: 'It’s yours now.',
    },
  },
})
