export { emojiIdRoutes, owningRoutes } from './routes.ts'
export { listItem, type OwnedId, readEmojiId, type Standing, UnregisteredError } from './rules.ts'
export { EmojiIdText, ExtendedList, Shape } from './schema.ts'
export { createEmojiIds, type EmojiIds } from './service.ts'
