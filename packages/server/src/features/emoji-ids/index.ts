export { emojiIdJobs } from './jobs.ts'
export { emojiIdRoutes, owningRoutes } from './routes.ts'
export {
  assertActive,
  assertMayWrite,
  assertNotBlocked,
  assertNotSigned,
  assertOwns,
  listItem,
  type OwnedId,
  readEmojiId,
  type Standing,
  UnregisteredError,
} from './rules.ts'
export { EmojiIdText, ExtendedList, ListItem, Shape } from './schema.ts'
export { createEmojiIds, type EmojiIds } from './service.ts'
