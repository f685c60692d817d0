const count = (number: number, one: string) =>
  `${number.toLocaleString('en')} ${one}${number === 1 ? '' : one.endsWith('x') ? 'es' : 's'}`

export const lootboxTypeTexts = {
  text: 'What boxes are drawn by, newest first. A type is never changed: its odds are a promise. Make another one instead.',
  create: 'New type',
  none: 'There is no type yet. Boxes are drawn by one: make it first.',
  facts: (size: number, min: number, max: number) =>
    `${count(size, 'id')} of ${min === max ? count(min, 'emoji') : `${min} to ${max} emojis`}`,
  guaranteed: (number: number, min: number, max: number) =>
    `${number} with a score of ${min} to ${max} for certain`,
  price: 'Sold for',
  notSold: 'Not sold',
  open: 'Draws boxes',
  exhausted: 'Draws no more',
  exhaustedText: 'Ids of one of its ranges ran out.',
  made: 'Made',
  draw: 'Draw boxes',
  boxes: 'Its boxes',
}

export const oddsTexts = {
  caption: (name: string) => `Odds of ${name}`,
  scores: 'Scores',
  slot: 'Each slot',
  box: 'At least one in a box',
  range: (min: number, max: number) => (min === max ? `${min}` : `${min}–${max}`),
  sum: 'Together',
  slots: (slots: number, size: number) =>
    slots === size
      ? `Chance decides all ${count(size, 'slot')} of a box.`
      : `Chance decides ${count(slots, 'slot')} of ${size}; the others are guaranteed.`,
  costs: 'Costs today',
  nothing: 'no price',
  worth: 'A box is worth',
  worthRange: 'at today’s prices, whatever chance decides.',
  unpriced: 'Ids that are not for sale have no price and are left out.',
  worthless: 'The ids of a box are not for sale: they have no price.',
  to: 'to',
  price: 'It is sold for',
}

export const newLootboxTypeTexts = {
  title: 'New lootbox type',
  text: 'The odds beside the form are those that the service draws by. They change while you type.',
  name: 'Name',
  description: 'Description',
  descriptionHint: 'What owners of a box read about it.',
  size: 'Ids in a box',
  minLength: 'Emojis, at least',
  maxLength: 'Emojis, at most',
  base: 'Scores of slots that no chance hits',
  minScore: 'From',
  maxScore: 'To',
  guarantees: 'Guarantees',
  guaranteesText: 'So many ids of these scores are in every box.',
  guarantee: (nth: number) => `Guarantee ${nth}`,
  count: 'How many',
  addGuarantee: 'Add a guarantee',
  weights: 'Chances',
  weightsText: 'One slot in so many is of these scores. The rarest is tried first.',
  weight: (nth: number) => `Chance ${nth}`,
  ipr: 'One in',
  addWeight: 'Add a chance',
  remove: (what: string) => `Remove ${what.toLowerCase()}`,
  price: 'Price in US dollars',
  priceHint: 'Leave it empty if its boxes are not sold.',
  priceWrong: 'At least 0.50, such as 19 or 19.90. Or leave it empty.',
  odds: 'Odds',
  unclear: {
    numbers: 'Fill in every number, and the odds appear here.',
    range: 'Every “from” is at most its “to”, and scores are from 1 to 100.',
    length: 'The fewest emojis are at most the most, from 1 to 6.',
    size: 'More ids are guaranteed than a box has.',
    box: 'A box has 1 to 20 ids.',
    count: 'A guarantee is for 1 to 20 ids.',
    chance: '“One in” is at least 1, which is every slot; 4 is one slot in four.',
  },
  save: 'Make this type',
  saving: 'The service looks whether such ids are to be had …',
  saved: (name: string) => `The type ${name} is made.`,
}

export const lootboxTexts = {
  text: 'Every box, newest first. Nobody else gets the ids that are in one.',
  caption: 'Lootboxes',
  filters: 'Find lootboxes',
  search: 'Find',
  searchHint: 'Id of a box, the letters that its owner sees, or the owner’s e-mail address',
  status: 'State',
  everyStatus: 'Every state',
  statuses: { Draft: 'Draft', Available: 'Available', Owned: 'Given', Used: 'Opened' },
  type: 'Type',
  everyType: 'Every type',
  byHand: 'Filled by hand',
  columns: {
    contents: 'Contents',
    status: 'State',
    type: 'Type',
    owner: 'Owner',
    worth: 'Worth',
    made: 'Made',
  },
  box: (id: string) => `Box ${id.slice(0, 8)}`,
  nobody: 'Nobody',
  pages: 'Pages of lootboxes',
  notFound: 'No box is like that. Try another state or type.',
  none: 'There is no box yet. Draw some by a type, or fill one yourself.',
  fill: 'Fill a box',
  draw: 'Draw boxes',
}

export const drawTexts = {
  title: 'Draw boxes',
  text: 'Each gets a seed of its own, whose hash is published, and is a draft until you offer or give it.',
  type: 'Type',
  noTypes: 'There is no type that draws boxes. Make one first.',
  count: 'How many boxes',
  countHint: 'At most 1,000.',
  action: 'Draw them',
  progress: (made: number, wanted: number) =>
    `${made.toLocaleString('en')} of ${count(wanted, 'box')} drawn …`,
  done: (made: number, wanted: number) =>
    made === wanted
      ? `${count(made, 'box')} drawn.`
      : `${made.toLocaleString('en')} of ${count(wanted, 'box')} drawn: ids of one of its ranges ran out.`,
}

export const fillTexts = {
  title: 'Fill a box',
  text: 'You choose its ids. Nobody else can buy them from then on.',
  ids: 'Emoji ids',
  idsHint: 'One in each line, at most 20.',
  status: 'State',
  statuses: { Draft: 'Draft', Available: 'Available: sealed', Owned: 'Given to somebody' },
  owner: 'E-mail address of the owner',
  action: 'Make the box',
  done: 'The box is made.',
}

export const boxTexts = {
  missing: 'There is no such lootbox.',
  back: 'All lootboxes',
  contents: 'What is in it',
  score: 'Score',
  worth: 'Worth when it was filled',
  average: 'Average score',
  facts: 'About this box',
  seedHash: 'Hash of its seed',
  seedText: 'It was published when the box was made. The seed itself is shown once it is opened.',
  kept: 'The address is not confirmed yet. Whoever confirms it has the box.',
  odds: 'Odds it was drawn by',
  actions: 'What can be done',
  offer: {
    action: 'Offer it',
    title: 'Offer this box?',
    text: 'It becomes available, and what is in it stays as it is for good.',
    done: 'The box is available.',
  },
  give: {
    action: 'Give it',
    title: 'Give this box to somebody',
    titleAgain: 'Give this box to somebody else',
    text: 'They get a mail, and may open it at once. The ids are theirs then.',
    owner: 'E-mail address',
    unknown:
      'No account has this address yet. Look for a typing error: whoever gets hold of the mailbox gets the box.',
    anyway: 'Give it all the same',
    anywayHint: 'It waits for who registers with this address and confirms it.',
    done: 'The box is given.',
  },
  open: {
    action: 'Open it for its owner',
    title: 'Open this box?',
    text: 'All of its ids become its owner’s at once. This cannot be undone.',
    done: 'The box is opened.',
  },
  change: {
    action: 'Change its ids',
    title: 'Change what is in it',
    text: 'Ids that you take out can be had by anybody again.',
    done: 'What is in the box is changed.',
  },
  remove: {
    action: 'Delete it',
    title: 'Delete this box?',
    text: 'Anybody may get its ids then. This cannot be undone.',
    done: 'The box is deleted.',
  },
  nothing: 'It was opened: nothing about it changes any more.',
}
