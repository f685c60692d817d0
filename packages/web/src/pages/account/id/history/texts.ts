import { messages } from '../../../../language.ts'
import { count } from '../../texts.ts'

/** The record history of one id and its proof. */
export const texts = messages({
  en: {
    title: 'History',
    text: 'Every change to the records, newest first. Only you see old values, and you review a restored record before it is saved. We keep the records of the last 100 changes.',
    none: 'No changes yet.',
    by: {
      you: 'by you',
      colleague: 'by a colleague',
      other: 'by an operator or a previous owner',
      directory: 'by the directory',
    },
    undone: 'An earlier change was undone',
    nothing: 'No visible change.',
    notKept: 'The records of this change are no longer kept.',
    summary: (added: number, changed: number, removedCount: number, isReordered: boolean) =>
      [
        added ? `${count(added, 'record', 'records')} added` : '',
        changed ? `${count(changed, 'record', 'records')} changed` : '',
        removedCount ? `${count(removedCount, 'record', 'records')} removed` : '',
        isReordered ? 'order changed' : '',
      ]
        .filter(Boolean)
        .join(', ')
        .replace(/^./, (first) => first.toUpperCase()),
    putBack: 'Restore',
    takeAway: 'Remove again',
    isBack: 'This change is fully reverted.',
    pages: 'History pages',
  },
})

export const proofTexts = messages({
  en: {
    title: 'Proof',
    text: 'Anyone can verify these records without trusting us.',
    signed: (key: string) => `Signed by the key of this emoji id, ${key}.`,
    signedByOther: 'Signed by a key that no longer owns this emoji id.',
    unsigned:
      'Not signed. We don’t hold the key of this emoji id; its wallet can sign the records.',
    noRecords: 'No records to prove yet.',
    fits: 'The fingerprint below matches these records.',
    broken: 'The fingerprint doesn’t match the records. Contact support.',
    root: 'Fingerprint of all records (Merkle root)',
    version: (version: number) => `Version ${version}`,
    open: 'Open the proof as JSON',
  },
})
