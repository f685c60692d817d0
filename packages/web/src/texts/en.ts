import { search } from './search.ts'

/** Every sentence that people read in the app. */
export const texts = {
  name: 'Emoji Id Directory',
  frame: {
    skip: 'Skip to the content',
    navigation: 'Main',
    signIn: 'Sign in',
  },
  notFound: {
    title: 'There is nothing here',
    text: 'The address may be mistyped.',
    home: 'Find an emoji id',
  },
  broken: {
    title: 'Something broke on our side',
    again: 'Try again',
  },
  search,
} as const
