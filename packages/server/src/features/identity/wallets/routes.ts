import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../operations/access/index.ts'
import { Connected, WalletBody, WalletList, WalletParams } from './schema.ts'
import type { Wallets } from './wallets.ts'

export const walletRoutes: FastifyPluginAsyncTypebox<{ wallets: Wallets }> = async (
  app,
  options,
) => {
  const { wallets } = options
  const tags = ['Keys']

  app.route({
    method: 'GET',
    url: '/wallets',
    config: { access: 'user', key_scopes: ['user:writeSelf'] },
    schema: {
      operationId: 'listWallets',
      tags,
      summary: 'List connected Ethereum addresses',
      response: { 200: WalletList },
    },
    handler: async (request) => wallets.listWallets(callerOf(request).user_id),
  })

  app.route({
    method: 'POST',
    url: '/wallets',
    config: { access: 'user:writeSelf', rateLimit: { max: 120, timeWindow: 60_000 } },
    schema: {
      operationId: 'connectWallet',
      tags,
      summary: 'Connect an Ethereum address',
      description:
        'The address is recovered from a personal_sign signature over "Connect this wallet to my Emoji Id Directory account {user_id}.", with the lower of the two values of s, and answered. Send it as eth_address too: then a signature over anything else is refused instead of connecting an address that is nobody\'s. Without it the wallet is listed as not proven, and authorizes nothing; the same signature sent with it proves it later. An account has at most 20 wallets.',
      body: WalletBody,
      response: { 200: Connected },
    },
    handler: async (request) => wallets.connectWallet(callerOf(request), request.body),
  })

  app.route({
    method: 'DELETE',
    url: '/wallets/:eth_address',
    config: { access: 'user:writeSelf', sensitive: true },
    schema: {
      operationId: 'disconnectWallet',
      tags,
      summary: 'Disconnect an Ethereum address',
      params: WalletParams,
      response: { 200: Connected },
    },
    handler: async (request) => wallets.removeWallet(callerOf(request), request.params.eth_address),
  })
}
