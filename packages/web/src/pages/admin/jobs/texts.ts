import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Background work that is not done yet: mails, payments, pictures. What is done is gone from here.',
    summary: 'Task by task',
    summaryCaption: 'Jobs of each task',
    nothing: 'There is no work left. All jobs are done.',
    columns: {
      task: 'Task',
      waiting: 'Waiting',
      running: 'Running',
      failed: 'Failed',
      given_up: 'Given up',
      oldest: 'Due since',
      state: 'State',
      attempts: 'Attempts',
      next: 'Runs',
      error: 'Last error',
      actions: 'Actions',
    },
    notDue: 'Nothing due',
    list: 'Jobs',
    caption: 'Jobs',
    filters: 'Find jobs',
    state: 'State',
    everyState: 'Every state',
    task: 'Task',
    everyTask: 'Every task',
    states: { waiting: 'Waiting', running: 'Running', failed: 'Failed', given_up: 'Given up' },
    attempts: (count: number, most: number) => `${count} of ${most}`,
    pages: 'Pages of jobs',
    none: 'No job is like that.',
    retry: {
      label: 'Retry …',
      title: 'Try this job again',
      text: (task: string) => `${task} runs at once, and as often as if it were new.`,
      action: 'Retry job',
      done: 'The job is tried again.',
    },
    remove: {
      label: 'Remove …',
      title: 'Remove this job',
      text: (task: string) =>
        `${task} is given up for good: what it was to do is not done. This cannot be undone.`,
      refund:
        'No provider is asked for this refund any more: a person has to give the money back, and notes it among the orders’ refunds. Look at the provider first whether it was sent after all. This cannot be undone.',
      action: 'Remove job',
      done: 'The job is removed.',
    },
  },
})
