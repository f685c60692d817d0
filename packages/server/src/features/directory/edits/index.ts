export { createEdits, type Edits } from './edits.ts'
export { editRoutes } from './routes.ts'
export { NewRecord } from './schema.ts'
