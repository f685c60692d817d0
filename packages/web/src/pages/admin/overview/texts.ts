import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'The last 30 days. Days are in UTC.',
    asOf: 'Counted',
    figures: {
      sales: { title: 'Sales', unit: 'Paid orders', link: 'Paid orders' },
      sign_ups: { title: 'Sign-ups', unit: 'New accounts', link: 'Users' },
      refunds: { title: 'Refunds', unit: 'Refunds', link: 'Refunds' },
      refund_requests: {
        title: 'Open refund requests',
        unit: 'Requests by the day of the request',
        link: 'Refund requests',
      },
      open_reports: {
        title: 'Open reports',
        unit: 'Reports by the day they arrived',
        link: 'Reports',
      },
      failed_jobs: {
        title: 'Failed jobs',
        unit: 'Jobs by the day they were queued',
        link: 'Jobs',
      },
      unsent_mails: {
        title: 'Unsent emails',
        unit: 'Emails by the day they were queued',
        link: 'Jobs that send messages',
      },
    },
    chart: (title: string) => `${title} of the last 30 days. Use the arrow keys to read each day.`,
    table: 'Show as a table',
    caption: (title: string) => `${title} by day`,
    columns: { day: 'Day', count: 'Number', amount: 'Amount' },
  },
})
