import { messages } from '../../language.ts'

export const count = (number: number, one: string) =>
  `${number.toLocaleString('en')} ${one}${number === 1 ? '' : one.endsWith('x') ? 'es' : 's'}`

/** The frame around the operator pages, and texts that several of them share. */
export const texts = messages({
  en: {
    title: 'Administration',
    navigation: 'Administration',
    findId:
      'Find an emoji id to see its owner, state, orders, transfers and history, and to act on it.',
    sections: {
      overview: 'Overview',
      ids: 'Emoji ids',
      users: 'Users',
      orders: 'Orders',
      disputes: 'Disputes',
      reports: 'Reports',
      suspensions: 'Suspended ids',
      reserved: 'Reserved ids',
      codes: 'Codes',
      lootboxes: 'Lootboxes',
      prices: 'Prices',
      organizations: 'Organizations',
      applications: 'Applications',
      webhooks: 'Webhooks',
      tokens: 'Tokens',
      audit: 'Audit log',
      jobs: 'Jobs',
    },
    noSecondFactor: {
      text: 'Your account has no second factor, so sensitive actions ask for no code. Set one up to protect them.',
      link: 'Set up a second factor',
    },
    notForYou: {
      title: 'Administrators only',
      text: 'Your account has no access to these pages. Ask an administrator for the role, or sign in with another account.',
      account: 'Go to your account',
    },
    finder: {
      label: 'Find an emoji id',
      field: 'Emoji id',
      hint: 'Emojis, their names, or the address of its page',
      action: 'Find',
      notAnId: 'This isn’t an emoji id. Enter 1 to 6 emojis or their names.',
    },
    people: {
      roles: { User: 'User', Bot: 'Bot', Admin: 'Administrator', Super: 'Super administrator' },
      states: { active: 'Active', deactivated: 'Deactivated', unconfirmed: 'Unconfirmed' },
      nameless: 'No name',
    },
    reports: {
      open: 'Open',
      categories: {
        scam: 'Fraud or a scam',
        impersonation: 'Impersonation',
        offensive: 'Offensive content',
        illegal: 'Illegal content',
        other: 'Something else',
      },
      decisions: { no_action: 'No action', suspended: 'Suspended', other: 'Another decision' },
    },
    boxes: {
      byHand: 'Filled by hand',
      box: (id: string) => `Box ${id.slice(0, 8)}`,
      noOwner: 'None',
      ids: 'Emoji ids',
      idsHint: (most: number) => `One per line, at most ${most}.`,
    },
  },
})
