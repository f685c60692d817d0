export { webhookJobs } from './jobs.ts'
export { rewrapWebhooks } from './purge-deliveries.ts'
export { adminWebhookRoutes, webhookRoutes } from './routes.ts'
export { createWebhooks } from './webhooks.ts'
