export { chains } from '../src/addresses/chains.ts'
export * from '../src/index.ts'
