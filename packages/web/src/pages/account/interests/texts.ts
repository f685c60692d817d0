import { messages } from '../../../language.ts'

/** Ids that somebody waits for. */
export const texts = messages({
  en: {
    text: 'Emoji ids that others have. When one becomes free, we mail you, once.',
    add: 'Wait for another one',
    fieldHint: 'Enter adds what a word names, Backspace takes the last one away.',
    taken: 'You can be told when it becomes free.',
    tellMe: 'Tell me when it becomes free',
    get: 'It is free: get it',
    added: 'We mail you when it becomes free.',
    caption: 'Emoji ids that you wait for',
    columns: { id: 'Emoji id', since: 'Waiting since', state: 'State', actions: 'Actions' },
    waiting: 'Somebody has it',
    free: 'Became free',
    look: 'Look it up',
    remove: 'Remove',
    confirm: {
      title: 'Stop waiting for it?',
      text: 'We do not tell you any more when it becomes free.',
      action: 'Stop waiting',
      done: 'Removed.',
    },
    none: 'You wait for no emoji id. Look one up that somebody has.',
    pages: 'Pages of interests',
  },
})
