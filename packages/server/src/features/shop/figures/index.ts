export { createFigures } from './figures.ts'
export { figureRoutes } from './routes.ts'
