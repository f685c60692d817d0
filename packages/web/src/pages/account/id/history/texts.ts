import { messages } from '../../../../language.ts'
import { count } from '../count.ts'

/** What was changed when, and the proof of what is there now. */
export const texts = messages({
  en: {
    title: 'History',
    text: 'Every change of the records, the newest first. Only you see what they were. Whatever you put back is shown to you again before it is saved.',
    none: 'Nothing was changed yet.',
    by: {
      you: 'by you',
      colleague: 'by a colleague of yours',
      other: 'by somebody who runs this directory, or was behind this emoji id before',
      directory: 'by the directory',
    },
    undone: 'An earlier change was undone',
    nothing: 'Nothing that shows was changed.',
    summary: (added: number, changed: number, removed: number) =>
      [
        added ? `${count(added, 'record', 'records')} added` : '',
        changed ? `${count(changed, 'record', 'records')} changed` : '',
        removed ? `${count(removed, 'record', 'records')} removed` : '',
      ]
        .filter(Boolean)
        .join(', ')
        .replace(/^./, (first) => first.toUpperCase()),
    putBack: 'Put back',
    takeAway: 'Take away again',
    isBack: 'Nothing of this change is left.',
    pages: 'Pages of the history',
  },
})

export const proofTexts = messages({
  en: {
    title: 'Proof',
    text: 'Anybody can check that nobody else wrote these records, without trusting us.',
    signed: (key: string) => `Signed by the key of this emoji id, ${key}.`,
    signedByOther: 'Signed by a key that does not have this emoji id any more.',
    unsigned:
      'Not signed: the key of this emoji id is not kept here. Its wallet can sign the records.',
    noRecords: 'There is nothing to prove yet.',
    fits: 'The fingerprint below is the one of the records that you see.',
    broken: 'The fingerprint does not fit the records. Tell our support.',
    root: 'Fingerprint of all records (merkle root)',
    version: (version: number) => `Version ${version}`,
    open: 'Open the proof as JSON',
  },
})
