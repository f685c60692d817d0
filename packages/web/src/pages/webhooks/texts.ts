import { messages } from '../../language.ts'

/** Texts that the owner's and the operators' pages of webhooks share. */
export const texts = messages({
  en: {
    statuses: {
      active: 'Active',
      paused: 'Paused',
      disabled: 'Disabled',
      stopped: 'Stopped by an operator',
    },
    reasons: {
      gone: 'The endpoint responded 410 Gone.',
      failing: 'Deliveries failed for days.',
      access_lost: 'The member who added it lost access to these events.',
      key_revoked: 'The API key that created it was revoked.',
      access_revoked: 'Access to the account was revoked.',
      operator: 'An operator stopped it.',
    },
    form: {
      address: 'Address',
      hint: 'A public https address of your server',
      legend: 'Events',
      typesHint: 'If you choose none, the endpoint gets all events.',
      cancel: 'Cancel',
    },
    allTypes: 'All events',
    failingSince: 'Failing since',
    caption: 'Deliveries',
    pages: 'Pages of deliveries',
    filters: 'Find deliveries',
    status: 'State',
    everyStatus: 'Every state',
    none: 'No deliveries yet.',
    columns: {
      event: 'Event',
      state: 'State',
      response: 'Response',
      time: 'Time',
      actions: 'Actions',
    },
    deliveries: {
      waiting: 'Waiting',
      sending: 'Sending',
      delivered: 'Delivered',
      failed: 'Failed',
      cancelled: 'Cancelled',
    },
    tries: (count: number) => (count === 1 ? '1 try' : `${count} tries`),
    latency: (ms: number) => `${ms} ms`,
    nextTry: 'Next try',
    answer: 'Show the response',
  },
})
