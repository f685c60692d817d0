export { assertCanLeave } from './assert-can-leave.ts'
export { createEmojiIds, type EmojiIds } from './emoji-ids.ts'
export { emojiIdJobs } from './jobs.ts'
export { emojiIdRoutes, owningRoutes, reservedRoutes } from './routes.ts'
export {
  assertActive,
  assertMayWrite,
  assertNotBlocked,
  assertNotFrozen,
  assertNotMinted,
  assertNotSuspended,
  assertOneOwner,
  assertOwns,
  heldId,
  idPage,
  isTheirs,
  listItem,
  mayBecomeMinted,
  missingOwner,
  notYours,
  type OwnedId,
  readEmojiId,
  readSpelling,
  type Standing,
  suspendedId,
  takenId,
  UnregisteredError,
  uselessKey,
} from './rules.ts'
export { EmojiIdText, ExtendedList, ListItem, Shape } from './schema.ts'
