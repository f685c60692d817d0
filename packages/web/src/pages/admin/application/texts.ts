import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    title: 'Application',
    of: 'Organization:',
    clientId: 'Client id',
    secret: 'Client secret',
    shownOnce: 'We show it only once. Store it where only the application can read it.',
    copyId: 'Copy the client id',
    copySecret: 'Copy the secret',
    basics: 'Public details',
    save: 'Save',
    saveTitle: 'Change this application?',
    saveText: 'Sign-ins use only the new redirect URIs, effective immediately.',
    saved: 'Application saved.',
    secrets: 'Secrets',
    secretsText: 'Two secrets can be valid at the same time, so the application can rotate them.',
    caption: 'Valid secrets',
    columns: { secret: 'Secret', made: 'Created', actions: 'Actions' },
    nth: (nth: number) => `Secret ${nth}`,
    add: 'Create another secret',
    addTitle: 'Create another secret?',
    addText: 'The current secret stays valid until you revoke it.',
    added: 'Secret created.',
    end: 'Revoke',
    endTitle: 'Revoke this secret?',
    endText: 'Requests with this secret fail immediately. This can’t be undone.',
    ended: 'Secret revoked.',
    danger: 'Delete',
    deleteText: 'Sign-ins to it stop, and its tokens are revoked immediately.',
    delete: 'Delete the application',
    deleteTitle: 'Delete this application?',
    deleted: 'Application deleted.',
  },
})

export const fieldTexts = messages({
  en: {
    name: 'Name',
    nameHint: 'Shown when people sign in.',
    redirects: 'Redirect URIs',
    redirectsHint: 'One per line: https, or http for localhost. Compared exactly.',
    logo: 'Logo URL',
    logoHint: 'An https URL of a picture. Leave empty for none.',
  },
})
