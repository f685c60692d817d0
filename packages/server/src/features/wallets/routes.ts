import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Nothing } from '../../platform/http/schemas.ts'
import { callerOf } from '../access/index.ts'
import { WalletBody, WalletList } from './schema.ts'
import type { Wallets } from './service.ts'

export const walletRoutes: FastifyPluginAsyncTypebox<{ wallets: Wallets }> = async (
  app,
  options,
) => {
  const { wallets } = options
  const tags = ['Keys']

  app.route({
    method: 'GET',
    url: '/wallets',
    config: { access: 'user' },
    schema: {
      ...{ operationId: 'listWallets', tags, summary: 'List connected Ethereum addresses' },
      response: { 200: WalletList },
    },
    handler: async (request) => wallets.list(callerOf(request).user_id),
  })

  app.route({
    method: 'POST',
    url: '/wallets',
    config: { access: 'user:writeSelf' },
    schema: {
      ...{ operationId: 'connectWallet', tags, summary: 'Connect an Ethereum address' },
      description:
        'The address is recovered from a personal_sign signature over "Connect this wallet to my Emoji Id Directory account {user_id}."',
      ...{ body: WalletBody, response: { 200: Nothing } },
    },
    handler: async (request) => {
      const { signature, source } = request.body
      await wallets.connect(callerOf(request), signature, source)
      return {}
    },
  })
}
