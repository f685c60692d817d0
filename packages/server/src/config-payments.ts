import { addressWith, type Reading, reportStrays } from './config-values.ts'

export type Stripe = Readonly<{
  secret_key: string
  webhook_secret: string
  api_url: string | undefined
}>
export type Btcpay = Readonly<{
  url: string
  api_key: string
  store_id: string
  webhook_secret: string
}>

/** The payment providers, each with all of its variables or none. */
export function readProviders(reading: Reading) {
  return { stripe: readStripe(reading), btcpay: readBtcpay(reading) }
}

function readStripe(reading: Reading): Stripe | undefined {
  const values = readTogether(reading, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])
  reportStrays(reading, ['STRIPE_API_URL'], 'STRIPE_SECRET_KEY')
  return (
    values && {
      secret_key: values.STRIPE_SECRET_KEY,
      webhook_secret: values.STRIPE_WEBHOOK_SECRET,
      api_url: reading.read('STRIPE_API_URL', undefined, addressWith('https:', 'http:')),
    }
  )
}

function readBtcpay(reading: Reading): Btcpay | undefined {
  const values = readTogether(reading, [
    'BTCPAY_URL',
    'BTCPAY_API_KEY',
    'BTCPAY_STORE_ID',
    'BTCPAY_WEBHOOK_SECRET',
  ])
  return (
    values && {
      url: reading.read('BTCPAY_URL', '', addressWith('https:', 'http:')).replace(/\/+$/, ''),
      api_key: values.BTCPAY_API_KEY,
      store_id: values.BTCPAY_STORE_ID,
      webhook_secret: values.BTCPAY_WEBHOOK_SECRET,
    }
  )
}

/** All of the variables, or none. */
function readTogether<Name extends string>({ read, problems }: Reading, names: readonly Name[]) {
  const values = names.map((name) => [name, read(name, undefined, String)] as const)
  const missing = values.filter(([, value]) => value === undefined).map(([name]) => name)
  if (missing.length > 0 && missing.length < names.length) {
    problems.push(`${names.join(', ')} go together: ${missing.join(', ')} is missing.`)
  }
  return missing.length > 0 ? undefined : (Object.fromEntries(values) as Record<Name, string>)
}
