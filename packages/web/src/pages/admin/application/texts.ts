import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    title: 'Application',
    of: 'Of',
    clientId: 'Client id',
    secret: 'Client secret',
    shownOnce: 'This is shown this once. Keep it where only the application reads it.',
    copyId: 'Copy the client id',
    copySecret: 'Copy the secret',
    basics: 'What people see',
    save: 'Save',
    saveTitle: 'Change this application?',
    saveText: 'Logins go to the new redirect addresses alone, at once.',
    saved: 'The application is changed.',
    secrets: 'Secrets',
    secretsText:
      'Two can be valid at once, so that the application can change from one to the next.',
    caption: 'Valid secrets',
    columns: { secret: 'Secret', made: 'Made', actions: 'Actions' },
    nth: (nth: number) => `Secret ${nth}`,
    add: 'Make another secret',
    addTitle: 'Make another secret?',
    addText: 'The present one stays valid until you end it.',
    added: 'The secret is made.',
    end: 'End it',
    endTitle: 'End this secret?',
    endText: 'Whoever uses it is refused at once. This cannot be undone.',
    ended: 'The secret is ended.',
    danger: 'Delete',
    deleteText: 'Nobody logs in there any more, and its tokens stop working at once.',
    delete: 'Delete the application',
    deleteTitle: 'Delete this application?',
    deleted: 'The application is deleted.',
  },
})

export const fieldTexts = messages({
  en: {
    name: 'Name',
    nameHint: 'People see it when they log in.',
    redirects: 'Redirect addresses',
    redirectsHint:
      'Where people are sent back to, one in each line: https, or http to the own machine. Compared letter by letter.',
    logo: 'Address of the logo',
    logoHint: 'A picture at an https address; empty for none.',
  },
})
