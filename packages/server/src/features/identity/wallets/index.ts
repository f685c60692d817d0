export { walletRoutes } from './routes.ts'
export { createWallets, type Wallets } from './wallets.ts'
