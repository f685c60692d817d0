export const adminFrameTexts = {
  title: 'Administration',
  navigation: 'Administration',
  sections: {
    users: 'Users',
    orders: 'Orders',
    codes: 'Codes',
    lootboxes: 'Lootboxes',
    prices: 'Prices',
    organizations: 'Organizations',
    applications: 'Applications',
    tokens: 'Tokens',
    audit: 'Audit log',
    jobs: 'Jobs',
  },
  titles: {
    user: 'User',
    order: 'Order',
    lootboxTypes: 'Lootbox types',
    organization: 'Organization',
    lootbox: 'Lootbox',
  },
  lootboxParts: { label: 'Parts of lootboxes', boxes: 'Boxes', types: 'Types' },
  noSecondFactor: {
    text: 'Your account has no second factor. Until you set one up, dangerous actions here ask for no code: whoever gets hold of your account does them at once.',
    link: 'Set up a second factor',
  },
  notForYou: {
    title: 'This is not for you',
    text: 'These pages are for administrators, and your account is not one. Ask an administrator for the role, or sign in with another account.',
    account: 'Go to your account',
  },
}

export const userListTexts = {
  text: 'Everybody who has an account, newest first.',
  caption: 'Users',
  filters: 'Find users',
  search: 'Find',
  searchHint: 'E-mail address, name or id',
  role: 'Role',
  everyRole: 'Every role',
  roles: { User: 'User', Bot: 'Bot', Admin: 'Administrator', Super: 'Super administrator' },
  columns: { who: 'Who', role: 'Role', ids: 'Emoji ids', state: 'State', joined: 'Joined' },
  states: { active: 'Active', deactivated: 'Deactivated', unconfirmed: 'Unconfirmed' },
  nameless: 'Without a name',
  pages: 'Pages of users',
  notFound: 'Nobody is like that. Try fewer letters, or every role.',
}
