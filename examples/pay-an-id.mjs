// Finds the address behind an emoji id, proves it, and prints it with the URI that opens a wallet.
//   node examples/pay-an-id.mjs 🔥🐍 BTC 0.01
import {
  createClient,
  InvalidIdError,
  InvalidRequestError,
  NetworkError,
  NoAddressError,
  ProofError,
  parseTypedId,
  RefusedError,
  UnregisteredError,
} from '@emojid/sdk'
import { verifyProof } from '@emojid/sdk/verify'

const [typedId = '🔥🐍', ticker = 'BTC', amount] = process.argv.slice(2)
const client = createClient({
  api: process.env.EMOJID_API ?? 'http://localhost:3000/api',
  // Verifies the signature of the owner's key, so the server is not trusted.
  verify: verifyProof,
})

async function pay() {
  // Accepts emojis, the name (fire.snake) and the DNS label.
  const id = parseTypedId(typedId)
  const payment = await client.pay(id, amount ? { ticker, amount } : { ticker })
  console.log(`${id} takes ${ticker} at ${payment.address}`)
  // Some currencies have no common URI.
  if (payment.uri) console.log(payment.uri)
}

function explain(error) {
  // Written for the sender: the wrong emoji and its place, or a wrong amount.
  if (error instanceof InvalidIdError || error instanceof InvalidRequestError) return error.message
  if (error instanceof UnregisteredError) return `${error.id} is not registered.`
  if (error instanceof NoAddressError) return `${error.id} takes no ${ticker}.`
  if (error instanceof NetworkError) return 'Try again when you are online.'
  if (error instanceof ProofError) return 'Do not pay: the owner did not sign this address.'
  if (error instanceof RefusedError && error.status === 451)
    return 'Do not pay: the id is suspended.'
  throw error
}

try {
  await pay()
} catch (error) {
  console.log(explain(error))
  process.exitCode = 1
}
