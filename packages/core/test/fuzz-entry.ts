import { otherChains, chains as ownChains } from '../src/addresses/chains.ts'

export const chains = { ...ownChains, ...otherChains }
export * from '../src/index.ts'
