import { messages } from '../language.ts'

/** Texts that several areas share. */
export const texts = messages({
  en: {
    emptyCart: 'Your cart is empty.',
    box: 'Lootbox',
    sums: {
      price: 'Price',
      fees: 'Fees',
      discount: 'Discount',
      total: 'Total',
    },
    notFound: {
      title: 'Page not found',
      text: 'The address may be mistyped.',
      home: 'Find an emoji id',
    },
    broken: {
      title: 'Something went wrong',
      text: 'This is our fault. Try again, or reload the page.',
      notLoaded: 'This page couldn’t be loaded',
      again: 'Try again',
    },
    order: (number: string) => `Order ${number}`,
    visitBar: {
      label: (name: string) => `You came from ${name}`,
      create: (name: string) => `You are getting an emoji id for ${name}.`,
      connect: (name: string) => `You are connecting an emoji id to ${name}.`,
      manage: (name: string) => `You came from ${name}.`,
    },
    /** How sure we are of an address. */
    strengths: {
      checksum: 'Checksum is valid',
      format: 'Format is valid. Compare it yourself',
      none: 'Can’t be checked. Compare it yourself',
    },
    toCart: 'Back to cart',
    waitingForMoney: 'Waiting for your payment …',
    email: 'Email address',
  },
})
