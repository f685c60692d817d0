export { createIdOverviews } from './id-overviews.ts'
export { idOverviewRoutes } from './routes.ts'
