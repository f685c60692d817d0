/** Remembers which id an address came from, and tells of a change before money moves. */
export { type AddressBook, createAddressBook } from './book/address-book.ts'
export { AlreadyRememberedError } from './book/already-remembered.ts'
export type { Check, Entry } from './book/entries.ts'
export { type BookStorage, memoryStorage, webStorage } from './book/storage.ts'
