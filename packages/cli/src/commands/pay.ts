import { createClient, type PaymentWish, parseTypedId } from '@emojid/sdk'
import { verifyProof } from '@emojid/sdk/verify'
import type { Command } from '../command.ts'
import { terminalQr } from '../terminal-qr.ts'

export const pay: Command = {
  name: 'pay',
  about: 'Show where to send a payment, with a QR code',
  parameters: ['<id>', '<currency>'],
  details: 'The address is checked against its chain. This program sends no money.',
  options: {
    network: {
      type: 'string',
      value: 'network',
      about: 'for a token: the network, such as ETH',
    },
    amount: { type: 'string', value: 'number', about: 'the amount, such as 0.25' },
    label: { type: 'string', value: 'text', about: 'the recipient, for wallets that show it' },
    message: { type: 'string', value: 'text', about: 'the purpose, for wallets that show it' },
    verify: { type: 'boolean', about: 'verify the owner’s signature first' },
    'no-qr': { type: 'boolean', about: 'without the QR code' },
  },
  examples: [
    'emojid pay 🔥🐍 BTC --amount 0.01',
    'emojid pay 🔥🐍 USDC --network ETH --amount 25',
    'emojid pay fire.snake ETH --verify --no-qr',
  ],
  async run({ client: plainClient, api, out, world }, input) {
    const { parameters, text, flag } = input
    const [typedText = '', currency = ''] = parameters
    const network = text('network')
    const extra = { amount: text('amount'), label: text('label'), message: text('message') }
    const wish = {
      ...(network ? { token: currency, network } : { ticker: currency }),
      ...Object.fromEntries(Object.entries(extra).filter(([, value]) => value !== undefined)),
    } as PaymentWish
    const client = flag('verify') ? createClient({ api, verify: verifyProof }) : plainClient
    const payment = await client.pay(parseTypedId(typedText), { ...wish, signal: world.signal })
    out.show(payment, () => {
      const { id, address, uri, source, description } = payment
      const sum = [extra.amount, currency.toUpperCase()].filter(Boolean).join(' ')
      return [
        `${out.bold(id)} accepts ${sum}${network ? ` on ${network.toUpperCase()}` : ''} at`,
        `  ${out.bold(address)}`,
        ...(description ? [`  ${description}`] : []),
        ...(source === 'network_record'
          ? [
              '  This is the owner’s address on that network. There is no separate address for the token.',
            ]
          : []),
        ...(uri ? [`  ${out.faint(uri)}`] : []),
        ...(flag('no-qr') ? [] : ['', ...terminalQr(uri ?? address, out)]),
      ]
    })
  },
}
