export { storeRoutes } from './routes.ts'
export { createStore, type Store } from './service.ts'
