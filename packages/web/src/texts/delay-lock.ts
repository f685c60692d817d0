const inHours = (hours: number) => (hours === 1 ? '1 hour' : `${hours} hours`)

/** Addresses that change only after some hours. */
export const delayLockTexts = {
  title: 'Delay lock',
  text: 'For careful owners: a changed payment address takes effect only after some hours. Everybody sees when, we mail you, and you can cancel it until then. Whoever gets into your account cannot be quicker.',
  hours: 'Changes take effect',
  off: 'At once',
  after: (hours: number) => `After ${inHours(hours)}`,
  raises: 'Holds at once.',
  lowers: (hours: number) => `Holds in ${inHours(hours)}: as late as an address changes now.`,
  locked: 'With a lock, the emoji id cannot be given back.',
  save: 'Set the lock',
  saved: 'The lock is set.',
  lowering: (hours: number) =>
    hours === 0 ? 'It is switched off on' : `It becomes ${inHours(hours)} on`,
  keep: 'Keep it as it is',
  kept: 'The lock stays as it is.',
  waiting: 'Payment addresses change on',
  waitingText: 'Until then everybody pays as before, and no other address can be changed.',
  by: {
    you: 'Asked for by you',
    colleague: 'Asked for by a colleague of yours',
    other: 'Asked for by somebody who runs this directory',
  },
  cancel: 'Cancel the change',
  cancelled: 'Cancelled: the addresses stay as they are.',
  savedWaiting: 'Saved. Payment addresses change later: the delay lock lets them wait.',
}
