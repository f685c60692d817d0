export { storeRoutes } from './routes.ts'
export { redirectOf } from './rules.ts'
export { createStore, type Store } from './store.ts'
