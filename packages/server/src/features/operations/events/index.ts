export { createEvents, type Events } from './events.ts'
export { eventJobs } from './jobs.ts'
export { eventRoutes } from './routes.ts'
export { EventTypeName, eventTypes } from './schema.ts'
