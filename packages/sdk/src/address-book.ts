/** Remembers the id behind an address, and reports changes before a payment. */
export { type AddressBook, AlreadyRememberedError, createAddressBook } from './book/address-book.ts'
export type { Check, Entry } from './book/entries.ts'
export { type BookStorage, memoryStorage, webStorage } from './book/storage.ts'
