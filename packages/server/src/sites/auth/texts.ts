import { messages } from '../../platform/http/language.ts'

/** The page at the root of this site, which only people see who came without a link. */
export const texts = messages({
  en: {
    title: 'Signing in',
    text: 'Here you prove who you are: to us, and to applications that let you log in with your emoji id. You get here through a link that we mail, or from such an application.',
  },
})
