import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { groupRoutes, OneOf, Timestamp } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { Wallets } from './wallets.ts'

const Wallet = Type.Object({
  eth_address: Type.String(),
  user_id: Type.String({ format: 'uuid' }),
  proven: Type.Boolean({
    description: 'Whether the address signed a challenge. An unproven address authorizes nothing',
  }),
})
const Address = Type.Object({ eth_address: Type.String({ maxLength: 100 }) })
const Challenge = Type.Object({
  message: Type.String({ description: 'What the wallet signs, with its line ends' }),
  eth_address: Type.String({ description: 'In its EIP-55 form, as in the message' }),
  expires_at: Timestamp,
})
const WalletBody = Type.Object({
  signature: Type.String({ maxLength: 200, description: 'personal_sign over the message' }),
  message: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: 'The message of createWalletChallenge, which proves the wallet',
    }),
  ),
  eth_address: Type.Optional(
    Type.String({ maxLength: 100, description: 'Refused unless the signature is by this address' }),
  ),
  source: OneOf(['Mint', 'Dashboard'] as const),
})
const Connected = Type.Object({ eth_address: Type.String() })

const per_minute = 120

export const walletRoutes: FastifyPluginAsyncTypebox<{ wallets: Wallets }> = async (
  app,
  { wallets },
) => {
  groupRoutes(app, 'Keys')

  app.get('/wallets', {
    config: { access: 'user', key_scopes: ['user:writeSelf'] },
    schema: {
      operationId: 'listWallets',
      summary: 'List connected Ethereum addresses',
      response: { 200: Type.Array(Wallet) },
    },
    handler: async (request) => wallets.listWallets(callerOf(request).user_id),
  })

  app.post('/wallets/challenge', {
    config: { access: 'session', sensitive: 'code_or_nothing', per_minute },
    schema: {
      operationId: 'createWalletChallenge',
      summary: 'Get the message that proves a wallet',
      description:
        'An EIP-4361 message for this address and account. It is valid once, for ten minutes, and until the account requests another. Sign it with personal_sign and send it with POST /wallets.',
      body: Address,
      response: { 200: Challenge },
    },
    handler: async (request) => wallets.issueChallenge(callerOf(request), request.body.eth_address),
  })

  app.post('/wallets', {
    config: { access: 'user:writeSelf', per_minute },
    schema: {
      operationId: 'connectWallet',
      summary: 'Connect an Ethereum address',
      description:
        'Send message and signature of a challenge (POST /wallets/challenge) to prove the wallet; API keys cannot. Without message, the signature is over "Connect this wallet to my Emoji Id Directory account {user_id}." (personal_sign, low s): the recovered address is connected, but not proven. An unproven wallet authorizes nothing. Send eth_address too: a signature by another address is then refused. An account can have 20 wallets.',
      body: WalletBody,
      response: { 200: Connected },
    },
    handler: async (request) => wallets.connectWallet(callerOf(request), request.body),
  })

  app.delete('/wallets/:eth_address', {
    config: { access: 'user:writeSelf', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'disconnectWallet',
      summary: 'Disconnect an Ethereum address',
      params: Address,
      response: { 200: Connected },
    },
    handler: async (request) => wallets.removeWallet(callerOf(request), request.params.eth_address),
  })
}
