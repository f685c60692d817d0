import type { ReportCategory } from '../../../features/directory/abuse-reports/abuse-reports.ts'
import { messages } from '../../../platform/http/pages/language.ts'

/** The form to report an id. */
export const texts = messages({
  en: {
    title: (names: string) => `Report ${names}`,
    heading: 'Report this emoji id',
    intro:
      'Tell us if this emoji id is used for fraud or breaks our rules. We don’t show your report to its owner.',
    category: 'What is wrong?',
    choose: 'Choose one',
    categories: {
      scam: 'Fraud or a scam',
      impersonation: 'It pretends to be another person or company',
      offensive: 'Offensive or hateful content',
      illegal: 'Illegal content',
      other: 'Something else',
    } satisfies Record<ReportCategory, string>,
    text: 'What happened?',
    textHint: (least: number) =>
      `At least ${least} characters. Don’t enter passwords or secret keys.`,
    email: 'Your email address (optional)',
    emailHint: 'We use it once, to email you our decision. Then we delete it.',
    captchaNeedsScripts:
      'The check that you’re human needs JavaScript. Turn it on and load this page again.',
    wrongCaptcha: 'Solve the check above the button first.',
    wrongCategory: 'Choose what is wrong.',
    send: 'Send report',
    done: {
      title: 'Thank you for your report',
      text: 'We review it as soon as we can.',
      mailed: 'We’ll email you our decision.',
      notMailed:
        'We won’t email you about it: we already have such a report, or this address has received too many emails today.',
      back: 'Back to the emoji id',
    },
  },
})
