export { emojiIdRoutes, owningRoutes } from './routes.ts'
export { listItem, type OwnedId, readEmojiId, UnregisteredError } from './rules.ts'
export { EmojiIdText, ExtendedList } from './schema.ts'
export { createEmojiIds, type EmojiIds } from './service.ts'
