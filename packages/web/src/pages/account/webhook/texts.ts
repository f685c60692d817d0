import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    title: 'Webhook endpoint',
    missing: 'This endpoint doesn’t exist, or you don’t manage it.',
    back: 'All webhooks',
    types: 'Events',
    state: 'State',
    log: 'Deliveries',
    logText: 'Deliveries of the last 30 days, with your server’s responses.',
    test: 'Send a test event',
    tested: 'Test event queued. Its result appears in the list.',
    pause: 'Pause',
    paused: 'Paused. Events wait until you resume.',
    resume: 'Resume',
    resumed: 'Resumed. We’re sending the waiting events.',
    missed: 'This endpoint missed events while it was disabled.',
    replay: 'Replay them',
    replayed: (count: number) => `Queued ${count === 1 ? '1 event' : `${count} events`} again.`,
    again: 'Send again',
    queued: 'Delivery queued again.',
    rotate: {
      label: 'Rotate secret',
      title: 'Create a new secret?',
      text: 'We sign with both secrets for 24 hours, so you have time to update your server.',
      action: 'Create secret',
    },
    secret: {
      title: 'The new secret',
      text: 'Store it now: we show it only once. The old secret works for another 24 hours.',
      label: 'Secret',
      copy: 'Copy the secret',
      done: 'I’ve stored it',
    },
    remove: {
      label: 'Delete',
      title: 'Delete this endpoint?',
      text: 'It gets no more events, and its log is deleted. This can’t be undone.',
      action: 'Delete it',
      done: 'Endpoint deleted.',
    },
  },
})
