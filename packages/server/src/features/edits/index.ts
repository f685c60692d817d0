export { editRoutes } from './routes.ts'
export { NewRecord } from './schema.ts'
export { createEdits, type Edits } from './service.ts'
