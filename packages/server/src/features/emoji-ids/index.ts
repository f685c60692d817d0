export { emojiIdRoutes } from './routes.ts'
export { readEmojiId, UnregisteredError } from './rules.ts'
export { EmojiIdText } from './schema.ts'
export { createEmojiIds, type EmojiIds } from './service.ts'
