import { messages } from '../../../../platform/http/language.ts'

/** The code of the second factor. */
export const texts = messages({
  en: {
    title: 'Enter your code',
    sms: 'Your account is protected by codes that we send to your phone.',
    app: 'Your account is protected by the codes of your authenticator app.',
    backup: 'A backup code works too.',
    code: 'Code',
    action: 'Go on',
    send: 'Send me a code',
    sendAnother: 'Send me another code',
    sent: (digits: string) => `A code is on its way to the number that ends in ${digits}.`,
    lost: 'Lost your device and backup codes?',
  },
})
