import { messages } from '../../language.ts'

/** The frame around the operator pages, and texts that several of them share. */
export const texts = messages({
  en: {
    title: 'Administration',
    navigation: 'Administration',
    sections: {
      users: 'Users',
      orders: 'Orders',
      disputes: 'Disputes',
      reports: 'Reports',
      codes: 'Codes',
      lootboxes: 'Lootboxes',
      prices: 'Prices',
      organizations: 'Organizations',
      applications: 'Applications',
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
      idsHint: 'One per line, at most 20.',
    },
  },
})
