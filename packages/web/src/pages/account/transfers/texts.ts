import { messages } from '../../../language.ts'

/** Handing ids on, and getting them. */
export const texts = messages({
  en: {
    text: 'An emoji id goes from one person to another with two codes: one from you, one from them.',
    send: 'Send an emoji id',
    form: {
      title: 'Send an emoji id',
      which: 'Which one?',
      find: 'Find',
      findHint: 'Emojis, or their names',
      more: (shown: number, total: number) =>
        `The first ${shown} of ${total}: type to find others.`,
      none: 'You have no emoji id to send.',
      notFound: 'None of your emoji ids is like that.',
      resting: 'It has just changed hands: you can send it from',
      to: 'To whom?',
      byEmail: 'An e-mail address',
      byKey: 'A public key',
      email: 'Their e-mail address',
      emailHint: 'Whoever has no account here is invited.',
      key: 'Their public key',
      keyHint: '64 hex digits; a key that is kept here or proven',
      message: 'A message to them',
      messageHint: 'Optional. They see it beside the offer.',
      clear: 'Hand it over empty',
      clearHint: 'Addresses, page and pictures are deleted. Else they go along, and stay public.',
      next: 'Go on',
      cancel: 'Cancel',
      notChosen: 'Choose the emoji id that you want to send.',
    },
    confirm: {
      title: 'Send this emoji id?',
      to: (receiver: string) => `It is to go to ${receiver}.`,
      empty: 'It arrives empty: what is stored behind it is deleted.',
      full: 'Addresses, page and pictures go along.',
      final:
        'Once they accept it, only they can send it back. Until then you can call it off. First we mail you a code.',
      action: 'Send it',
    },
    incoming: {
      title: 'To you',
      caption: 'Emoji ids on their way to you',
      none: 'Nobody is sending you an emoji id.',
      withAccepted: 'Show those that I have accepted too',
    },
    outgoing: {
      title: 'From you',
      caption: 'Emoji ids that you sent',
      none: 'You have sent no emoji id.',
      pages: 'Pages of transfers',
    },
    columns: { id: 'Emoji id', state: 'State', actions: 'Actions' },
    to: (receiver: string) => `To ${receiver}`,
    from: 'From who has it now. Who that is, we do not show: ask whom you expect it from.',
    keyReceiver: 'a public key',
    states: {
      outgoing: {
        awaiting_sender: 'Your code is missing',
        awaiting_receiver: 'Waiting for them',
        accepted: 'Handed over',
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
        awaiting_sender: 'We mailed you a code. Give it, and they are asked.',
        awaiting_receiver: 'They were mailed a code, and accept with it. Nothing to do for you.',
        accepted: 'It is theirs now.',
        ended: 'It stayed with you, as far as this transfer goes.',
      },
      incoming: {
        awaiting_sender: 'The sender has to confirm first. We mail you when it is your turn.',
        awaiting_receiver:
          'We mailed you a code. Give it, and the emoji id is yours. If you do not want it, do nothing: the offer ends after seven days.',
        accepted: 'It is among your emoji ids.',
        ended: 'Nothing came of it.',
      },
    },
    message: 'Message:',
    luggage: {
      empty: 'Arrives empty',
      full: (records: number) =>
        records === 0
          ? 'Nothing is behind it now'
          : `Arrives with ${records === 1 ? '1 record' : `${records} records`}`,
      addresses: 'Addresses that come along, as they are now',
      check:
        'These are the addresses of who sends it. Until you change them, whoever pays this emoji id pays there: check each once it is yours.',
    },
    begun: 'Begun',
    giveCode: 'Give the code',
    accept: 'Accept',
    callOff: 'Call off',
    confirmCallOff: {
      title: 'Call this transfer off?',
      text: 'The emoji id stays yours. Whoever it was offered to is told.',
      action: 'Call it off',
      done: 'The transfer is called off. The emoji id stays yours.',
    },
    code: {
      senderTitle: 'Confirm that you send it',
      receiverTitle: 'Accept the emoji id',
      mailed: (email: string) =>
        `We mailed a code to ${email}. It works for 15 minutes. Five wrong codes end the transfer.`,
      app: 'Give a code of your authenticator app. Five wrong codes end the transfer.',
      label: 'Code',
      mailHint: 'Eight letters and digits',
      appHint: 'Six digits',
      confirm: 'Confirm',
      accept: 'Accept it',
      later: 'Later',
      close: 'Close',
      resend: 'Mail another code',
      resent: 'Another code is on its way. The one before is void.',
      confirmed: 'Confirmed. Now it is up to them.',
      accepted: 'It is yours now.',
    },
  },
})
