import { messages } from '../language.ts'

export const texts = messages({
  en: {
    on: (currency: string, network: string) => `${currency} on ${network}`,
  },
})
