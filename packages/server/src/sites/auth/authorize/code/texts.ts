import { messages } from '../../../../platform/http/pages/language.ts'

/** The code of the second factor. */
export const texts = messages({
  en: {
    title: 'Enter your code',
    sms: 'We’ll text a code to your phone.',
    app: 'Enter the code from your authenticator app.',
    backup: 'You can also use a backup code.',
    code: 'Code',
    action: 'Continue',
    send: 'Send code',
    sendAnother: 'Send a new code',
    sent: (digits: string) => `We sent a code to the number ending in ${digits}.`,
    lost: 'Lost your device and backup codes?',
  },
})
