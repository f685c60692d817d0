/** How anybody can see that a box is what it was from the beginning. */
export const proofTexts = {
  title: 'The proof',
  closedText:
    'When this box was made, a secret number decided what is in it. These two seals were published then: fingerprints of the secret, and of the contents. Nobody can change either any more without breaking its seal.',
  closedNoted:
    'This browser has noted both. When you open the box, the secret is revealed, and your browser compares and draws everything again.',
  seed: 'Seal of the secret number',
  contents: 'Seal of the contents',
  checking: 'Your browser draws the box again …',
  verified: 'Verified',
  verifiedText:
    'Your own browser has computed everything again, and it all fits: this box holds what it held from the beginning.',
  verifiedUnnotedText:
    'Your own browser has computed everything again, and it all fits the seals that are published.',
  broken: 'Not verified',
  brokenText:
    'Something does not fit, as marked below. Keep the numbers, and tell whoever runs this service.',
  steps: 'What was checked',
  verdicts: { holds: 'Fits', broken: 'Does not fit', unknown: 'Unknown' },
  checks: {
    noted: {
      title: 'The seals are those from before it was opened',
      text: 'What this browser noted while the box was closed is compared with what is published now.',
      values: ['Published now', 'Noted by your browser'],
      unknown:
        'This browser did not see the box while it was closed, so it has nothing to compare.',
    },
    seed: {
      title: 'The secret number fits its seal',
      text: 'SHA-256 of the secret must be the seal that was published before.',
      values: ['Published', 'Computed by your browser'],
    },
    contents: {
      title: 'The contents fit their seal',
      text: 'SHA-256 of the secret, the ids and what could not be had must be the second seal.',
      values: ['Published', 'Computed by your browser'],
    },
    odds: {
      title: 'It was drawn by the odds of its kind',
      text: 'The numbers that it was drawn by must be those behind the odds above.',
      values: ['It was drawn by', 'Behind the odds'],
    },
    drawn: {
      title: 'Drawing again gives the same ids',
      text: 'Your browser drew the box once more from the secret number, step by step.',
      values: ['Published', 'Drawn by your browser'],
    },
    received: {
      title: 'You got what was in it',
      text: 'The ids that became yours must be those of the sealed box.',
      values: ['Sealed', 'What you got'],
    },
  },
  numbers: 'All the numbers',
  secret: 'Secret number',
  rejected: 'Drawn, but not to be had',
  reasons: {
    owned: 'somebody had it',
    reserved: 'it was set aside for another box, or rested',
    held: 'somebody was buying it',
  } as Record<string, string>,
  nothingRejected: 'Everything that was drawn could be had.',
  raw: 'The proof as data, for anybody',
  nothing: 'nothing',
}
