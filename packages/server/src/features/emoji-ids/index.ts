export { emojiIdRoutes } from './routes.ts'
