import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    title: 'Webhook endpoint',
    missing: 'Endpoint not found.',
    back: 'All webhooks',
    of: 'Set up by',
    state: 'State',
    log: 'Deliveries',
    stop: {
      label: 'Stop …',
      title: 'Stop this endpoint?',
      text: 'It gets no more events. Its owner sees your reason and can’t enable it.',
      action: 'Stop it',
      done: 'Endpoint stopped.',
    },
    restore: {
      label: 'Restore …',
      title: 'Restore this endpoint?',
      text: 'It stays paused until its owner resumes it.',
      action: 'Restore it',
      done: 'Endpoint restored. Its owner can resume it.',
    },
  },
})
