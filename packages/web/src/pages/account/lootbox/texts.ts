import { messages } from '../../../language.ts'
import { idCount } from '../id-count.ts'

const range = (from: number, to: number) => (from === to ? String(from) : `${from} to ${to}`)

export const texts = messages({
  en: {
    all: 'Your lootboxes',
    toShop: 'Lootboxes for sale',
    title: 'Lootbox',
    missing: 'There is no such lootbox.',
    buy: 'Put it into the cart',
    price: 'Price',
    open: 'Open the box',
    openTitle: 'Open it now?',
    openText:
      'Its ids become yours at once. An open box cannot be closed, and not be given back any more.',
    openAction: 'Open it',
    opened: (count: number) => `It is open: ${idCount(count)} for you.`,
    inside: 'What was in it',
    score: (score: number) => `Score ${score}`,
    worth: 'Worth when the box was filled',
    average: 'Average score',
    manage: 'Manage',
  },
})

/** How anybody can see that a box is what it was from the beginning. */
export const proofTexts = messages({
  en: {
    title: 'The proof',
    closedText:
      'When this box was made, a secret number decided what is in it. These seals were published then: fingerprints of the secret, and of the contents. Nobody can change either any more without breaking its seal.',
    closedNoted:
      'This browser has noted the seals, and the odds above. When you open the box, the secret is revealed, and your browser compares and draws everything again.',
    seed: 'Seal of the secret number',
    contents: 'Seal of the contents',
    recipe: 'Fingerprint of what it is drawn by',
    otherOdds:
      'This box is not drawn by the odds shown above. Do not buy or open it; tell whoever runs this service.',
    oddsUnbound:
      'This box was sealed in the first way: its seals bind the secret number and the ids, and not what it is drawn by. That this is the same as before it was opened, only what your browser noted can show.',
    byHand:
      'A person chose what is in this box. The seals show that it is what it was when it was made, and nothing about chance.',
    checking: 'Your browser draws the box again …',
    outcomes: {
      verified: {
        title: 'Verified',
        text: 'Your own browser has computed everything again, and it all fits, also what it noted while the box was closed: this box holds what it held from the beginning.',
      },
      unnoted: {
        title: 'Fits what is published now',
        text: 'Your own browser has computed everything again, and it all fits together. It has not seen everything while the box was closed, so it cannot tell whether the same was published then.',
      },
      broken: {
        title: 'Not verified',
        text: 'Something does not fit or could not be checked, as marked below. Keep the numbers, and tell whoever runs this service.',
      },
    },
    steps: 'What was checked',
    verdicts: {
      holds: 'Fits',
      broken: 'Does not fit',
      unknown: 'Unknown',
      unchecked: 'Could not be checked',
    },
    without: {
      unknown:
        'This browser did not see it while the box was closed, so it has nothing to compare.',
      unchecked:
        'How the box was drawn is not told in a way that your browser understands. For a box of a kind it has to be.',
    },
    checks: {
      noted: {
        title: 'The seals are those from before it was opened',
        text: 'What this browser noted while the box was closed is compared with what is published now.',
        values: ['Published now', 'Noted by your browser'],
      },
      promised: {
        title: 'The odds are those from before it was opened',
        text: 'The numbers behind the odds that this browser showed while the box was closed are compared with those shown now.',
        values: ['Shown now', 'Noted by your browser'],
      },
      seed: {
        title: 'The secret number fits its seal',
        text: 'SHA-256 of the secret must be the seal that was published before.',
        values: ['Published', 'Computed by your browser'],
      },
      contents: {
        title: 'The contents fit their seal',
        text: 'SHA-256 of the secret, the ids, what could not be had and, since the second way of sealing, what it was drawn by must be the second seal.',
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
  },
})

export const oddsTexts = messages({
  en: {
    title: 'The odds',
    size: (count: number, from: number, to: number) =>
      `${count === 1 ? 'One emoji id' : `${count} emoji ids`} of ${range(from, to)} emojis.`,
    guarantee: (count: number, from: number, to: number) =>
      `${count === 1 ? 'One of them has' : `${count} of them have`} a rhythm score of ${range(from, to)} for certain.`,
    chance: (slots: number) =>
      slots === 1 ? 'Chance decides about one of them:' : `Chance decides about ${slots} of them:`,
    certain: 'Nothing is left to chance.',
    score: 'The rarer an id looks, the higher its rhythm score, from 1 to 100.',
    caption: 'How likely which rhythm scores are',
    columns: { range: 'Rhythm score', each: 'Each id', box: 'At least one in the box' },
    range,
    oneIn: (count: string) => `1\u00A0in\u00A0${count}`,
    always: 'Certain',
    never: 'Never',
    almostAlways: 'More than 99.9%',
    byHand: 'A person filled this box: nothing in it was drawn, so there are no odds.',
  },
})
