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
        'Sign "Connect this wallet to my Emoji Id Directory account {user_id}." with personal_sign (low s). The response holds the recovered address. Send eth_address too: a signature by another address is then refused. Without eth_address the wallet is unproven and authorizes nothing; send the same signature with eth_address to prove it later. An account can have 20 wallets.',
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
