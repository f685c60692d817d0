import { messages } from '../../../language.ts'
import { count } from '../texts.ts'

const range = (from: number, to: number) => (from === to ? String(from) : `${from} to ${to}`)

export const texts = messages({
  en: {
    all: 'Your lootboxes',
    toShop: 'Lootboxes for sale',
    title: 'Lootbox',
    missing: 'Lootbox not found.',
    buy: 'Add to cart',
    price: 'Price',
    open: 'Open the box',
    openTitle: 'Open this box?',
    openText: 'Its emoji ids become yours immediately. Once opened, a box can’t be refunded.',
    openAction: 'Open it',
    opened: (many: number) => `Opened: you got ${count(many, 'emoji id', 'emoji ids')}.`,
    inside: 'Contents',
    score: (score: number) => `Score ${score}`,
    worth: 'Value when the box was filled',
    average: 'Average score',
    manage: 'Manage',
  },
})

/** The proof that the contents of a box never changed. */
export const proofTexts = messages({
  en: {
    title: 'Proof',
    closedText:
      'A secret number decided the contents when this box was created, and we published fingerprints of both as seals. Operators can see the contents of a closed box, but can’t change them without breaking a seal.',
    closedNoted:
      'This browser saved the seals and the odds above. When you open the box, we reveal the secret and your browser verifies everything.',
    seed: 'Seal of the secret number',
    contents: 'Seal of the contents',
    recipe: 'Fingerprint of the draw parameters',
    otherOdds:
      'This box doesn’t follow the odds shown above. Don’t buy or open it; contact support.',
    oddsUnbound:
      'This box uses the first sealing method, which covers the secret number and the ids but not the odds. Only the odds your browser saved can show that they didn’t change.',
    byHand:
      'An operator chose the contents of this box. The seals show that they haven’t changed; no draw took place.',
    checking: 'Your browser is verifying the draw …',
    outcomes: {
      verified: {
        title: 'Verified',
        text: 'Your browser recomputed everything, and it matches what it saved while the box was closed. The contents never changed.',
      },
      unnoted: {
        title: 'Matches the published proof',
        text: 'Your browser recomputed everything, and it matches. It didn’t see all data while the box was closed, so it can’t tell whether the same data was published then.',
      },
      broken: {
        title: 'Not verified',
        text: 'Something doesn’t match or couldn’t be checked, as marked below. Save the numbers and contact support.',
      },
    },
    steps: 'Checks',
    verdicts: {
      holds: 'Matches',
      broken: 'Doesn’t match',
      unknown: 'Unknown',
      unchecked: 'Couldn’t be checked',
    },
    without: {
      unknown: 'This browser didn’t see the box while it was closed, so it has nothing to compare.',
      unchecked:
        'Your browser can’t read how this box was drawn. A box of this type must state it.',
    },
    checks: {
      noted: {
        title: 'The seals are unchanged',
        text: 'Compares the seals your browser saved while the box was closed with the published ones.',
        values: ['Published now', 'Saved by your browser'],
      },
      promised: {
        title: 'The odds are unchanged',
        text: 'Compares the odds your browser saved while the box was closed with the current ones.',
        values: ['Shown now', 'Saved by your browser'],
      },
      seed: {
        title: 'The secret number matches its seal',
        text: 'The SHA-256 of the secret must equal the published seal.',
        values: ['Published', 'Computed by your browser'],
      },
      contents: {
        title: 'The contents match their seal',
        text: 'The SHA-256 of the secret, the ids, the unavailable draws and, since the second sealing method, the draw parameters must equal the second seal.',
        values: ['Published', 'Computed by your browser'],
      },
      odds: {
        title: 'The draw used the odds of its type',
        text: 'The draw parameters must be those behind the odds above.',
        values: ['Used in the draw', 'Behind the odds'],
      },
      drawn: {
        title: 'Repeating the draw gives the same ids',
        text: 'Your browser repeated the draw from the secret number, step by step.',
        values: ['Published', 'Drawn by your browser'],
      },
      received: {
        title: 'You got the sealed contents',
        text: 'The ids you received must be those of the sealed box.',
        values: ['Sealed', 'Received'],
      },
    },
    boxesOfType: (
      counts: Record<'sold' | 'offered' | 'given' | 'withheld' | 'discarded', number>,
    ) =>
      `Boxes of this type: ${counts.sold} sold, ${counts.offered} on offer. Operators gave away ${counts.given}, withhold ${counts.withheld} and discarded ${counts.discarded} unopened.`,
    show: 'How we prove the contents',
    numbers: 'All the numbers',
    secret: 'Secret number',
    rejected: 'Drawn, but not available',
    reasons: {
      owned: 'taken',
      reserved: 'reserved for another box, or on hold',
      held: 'in another buyer’s checkout',
    } as Record<string, string>,
    nothingRejected: 'Everything drawn was available.',
    raw: 'Proof as raw data',
    nothing: 'nothing',
  },
})

export const oddsTexts = messages({
  en: {
    title: 'Odds',
    size: (count: number, from: number, to: number) =>
      `${count === 1 ? 'One emoji id' : `${count} emoji ids`} of ${range(from, to)} emojis.`,
    guarantee: (count: number, from: number, to: number) =>
      `${count === 1 ? 'One of them has' : `${count} of them have`} a guaranteed rhythm score of ${range(from, to)}.`,
    chance: (slots: number) =>
      slots === 1 ? 'One of them is random:' : `${slots} of them are random:`,
    certain: 'Nothing is random.',
    score: 'The rarer an id looks, the higher its rhythm score, from 1 to 100.',
    caption: 'Odds of each rhythm score',
    columns: { range: 'Rhythm score', each: 'Each id', box: 'At least one in the box' },
    range,
    oneIn: (count: string) => `1\u00A0in\u00A0${count}`,
    always: 'Certain',
    never: 'Never',
    almostAlways: 'More than 99.9%',
    byHand: 'An operator filled this box, so there are no odds.',
  },
})
