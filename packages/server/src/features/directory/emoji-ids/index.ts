export { assertCanLeave } from './assert-can-leave.ts'
export { createEmojiIds, type EmojiIds } from './emoji-ids.ts'
export { emojiIdJobs } from './jobs.ts'
export { emojiIdRoutes, owningRoutes } from './routes.ts'
export {
  assertActive,
  assertMayWrite,
  assertNotBlocked,
  assertNotFrozen,
  assertNotMinted,
  assertOneOwner,
  assertOwns,
  held,
  isTheirs,
  listItem,
  missingOwner,
  notYours,
  type OwnedId,
  readEmojiId,
  type Standing,
  taken,
  UnregisteredError,
  uselessKey,
} from './rules.ts'
export { EmojiIdText, ExtendedList, ListItem, Shape } from './schema.ts'
