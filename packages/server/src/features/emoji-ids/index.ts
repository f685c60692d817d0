export { createEmojiIds, type EmojiIds } from './emoji-ids.ts'
export { emojiIdJobs } from './jobs.ts'
export { assertCanLeave } from './leaving.ts'
export { emojiIdRoutes, owningRoutes } from './routes.ts'
export {
  assertActive,
  assertMayWrite,
  assertNotBlocked,
  assertNotFrozen,
  assertNotMinted,
  assertOwns,
  HeldError,
  isTheirs,
  listItem,
  NotYoursError,
  type OwnedId,
  readEmojiId,
  type Standing,
  TakenError,
  UnregisteredError,
  UselessKeyError,
} from './rules.ts'
export { EmojiIdText, ExtendedList, ListItem, Shape } from './schema.ts'
