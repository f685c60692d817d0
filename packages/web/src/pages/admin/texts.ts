import { messages } from '../../language.ts'

/** Around the operators' pages, and what several of them say. */
export const texts = messages({
  en: {
    title: 'Administration',
    navigation: 'Administration',
    sections: {
      users: 'Users',
      orders: 'Orders',
      disputes: 'Disputes',
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
      text: 'Your account has no second factor. Until you set one up, dangerous actions here ask for no code: whoever gets hold of your account does them at once.',
      link: 'Set up a second factor',
    },
    notForYou: {
      title: 'This is not for you',
      text: 'These pages are for administrators, and your account is not one. Ask an administrator for the role, or sign in with another account.',
      account: 'Go to your account',
    },
    people: {
      roles: { User: 'User', Bot: 'Bot', Admin: 'Administrator', Super: 'Super administrator' },
      states: { active: 'Active', deactivated: 'Deactivated', unconfirmed: 'Unconfirmed' },
      nameless: 'Without a name',
    },
    boxes: {
      byHand: 'Filled by hand',
      box: (id: string) => `Box ${id.slice(0, 8)}`,
      nobody: 'Nobody',
      ids: 'Emoji ids',
      idsHint: 'One in each line, at most 20.',
    },
  },
})
