export { createRemovals, type Removals } from './removals.ts'
