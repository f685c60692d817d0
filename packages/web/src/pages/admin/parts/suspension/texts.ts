import { messages } from '../../../../language.ts'

export const texts = messages({
  en: {
    badge: 'Suspended',
    suspend: {
      label: 'Suspend …',
      title: 'Suspend this emoji id',
      text: (names: string) =>
        `Lookups, page and picture of ${names} stop working immediately, and nothing about it can be changed. The owner gets an email with your reason and can appeal.`,
      action: 'Suspend',
      done: 'Emoji id suspended.',
    },
    restore: {
      label: 'Restore …',
      title: 'Restore this emoji id',
      text: (names: string) =>
        `${names} works again as before. The owner gets an email with your reason.`,
      action: 'Restore',
      done: 'Emoji id restored.',
    },
  },
})
