import { messages } from '../language.ts'

/** What pages of several areas say. */
export const texts = messages({
  en: {
    emptyCart: 'Nothing is in it yet.',
    box: 'Lootbox',
    sums: {
      price: 'Price',
      fees: 'Fees',
      discount: 'Discount',
      total: 'Total',
    },
    notFound: {
      title: 'There is nothing here',
      text: 'The address may be mistyped.',
      home: 'Find an emoji id',
    },
    broken: {
      title: 'Something broke on our side',
      text: 'It is not your fault. Try again, or load the page anew.',
      notLoaded: 'This page could not be loaded',
      again: 'Try again',
    },
    order: (number: string) => `Order ${number}`,
    visitBar: {
      label: (name: string) => `You came from ${name}`,
      create: (name: string) => `You are getting an emoji id for ${name}.`,
      connect: (name: string) => `You are connecting an emoji id with ${name}.`,
      manage: (name: string) => `You came from ${name}.`,
    },
    /** How sure we are of an address. */
    strengths: {
      checksum: 'Checked: no typing error',
      format: 'The form fits: compare it yourself',
      none: 'Cannot be checked: compare it yourself',
    },
    toCart: 'Back to the cart',
    waitingForMoney: 'Waiting for the money to arrive …',
    email: 'E-mail address',
  },
})
