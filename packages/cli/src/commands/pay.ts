import { createClient, type PaymentWish, parseTypedId } from '@emojid/sdk'
import { verifyProof } from '@emojid/sdk/verify'
import type { Command } from '../command.ts'
import { terminalQr } from '../terminal-qr.ts'

export const pay: Command = {
  name: 'pay',
  about: 'Tell where to send a payment, with a code to scan',
  parameters: ['<id>', '<currency>'],
  details: 'The address is checked to be one of its chain. Nothing is sent by this program.',
  options: {
    network: {
      type: 'string',
      value: 'network',
      about: 'for a token: on which network, such as ETH',
    },
    amount: { type: 'string', value: 'number', about: 'how much, such as 0.25' },
    label: { type: 'string', value: 'text', about: 'for whom, shown by wallets that read it' },
    message: { type: 'string', value: 'text', about: 'what for, shown by wallets that read it' },
    verify: { type: 'boolean', about: 'check the signature of the owner first' },
    'no-qr': { type: 'boolean', about: 'without the code to scan' },
  },
  examples: [
    'emojid pay 🔥🐍 BTC --amount 0.01',
    'emojid pay 🔥🐍 USDC --network ETH --amount 25',
    'emojid pay fire.snake ETH --verify --no-qr',
  ],
  async run({ client: plainClient, api, out, world }, given) {
    const { parameters, text, flag } = given
    const [typed = '', currency = ''] = parameters
    const network = text('network')
    const extra = { amount: text('amount'), label: text('label'), message: text('message') }
    const wish = {
      ...(network ? { token: currency, network } : { ticker: currency }),
      ...Object.fromEntries(Object.entries(extra).filter(([, value]) => value !== undefined)),
    } as PaymentWish
    const client = flag('verify') ? createClient({ api, verify: verifyProof }) : plainClient
    const payment = await client.pay(parseTypedId(typed), { ...wish, signal: world.signal })
    out.show(payment, () => {
      const { id, address, uri, source, description } = payment
      const asked = [extra.amount, currency.toUpperCase()].filter(Boolean).join(' ')
      return [
        `${out.bold(id)} takes ${asked}${network ? ` on ${network.toUpperCase()}` : ''} at`,
        `  ${out.bold(address)}`,
        ...(description ? [`  ${description}`] : []),
        ...(source === 'network_record'
          ? ['  This is their address on that network; they gave none for the token alone.']
          : []),
        ...(uri ? [`  ${out.faint(uri)}`] : []),
        ...(flag('no-qr') ? [] : ['', ...terminalQr(uri ?? address, out)]),
      ]
    })
  },
}
