/** Remembers the id behind an address, and reports changes before a payment. */
export { type AddressBook, createAddressBook } from './book/address-book.ts'
export { AlreadyRememberedError } from './book/already-remembered.ts'
export type { Check, Entry } from './book/entries.ts'
export { type BookStorage, memoryStorage, webStorage } from './book/storage.ts'
