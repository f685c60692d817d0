/** What parts of pages say wherever they are. */
export const listTexts = {
  all: 'All',
  range: (first: number, last: number, total: number) => {
    const all = total.toLocaleString('en')
    if (total === 0) return 'Nothing found'
    return first > total
      ? `${all} in all`
      : `${first.toLocaleString('en')}–${last.toLocaleString('en')} of ${all}`
  },
  page: (page: number, pages: number) =>
    `Page ${page.toLocaleString('en')} of ${pages.toLocaleString('en')}`,
  previous: 'Previous',
  next: 'Next',
}

/** How sure we are of an address. */
export const recordTexts = {
  strengths: {
    checksum: 'Checked: no typing error',
    format: 'The form fits: compare it yourself',
    none: 'Cannot be checked: compare it yourself',
  },
}

export const confirmTexts = {
  reason: 'Reason',
  reasonHint: 'It is kept in the audit log, together with your name.',
  reasonShort: 'Say why, in at least three letters.',
  cancel: 'Cancel',
}
