// A wallet that sends its user to the partner pages, and checks the id with which the user returns.
//   PARTNER_PATH=demo node examples/partner-flow.mjs
import { createServer } from 'node:http'
import { createClient } from '@emojid/sdk'

const { EMOJID_API = 'http://localhost:3000/api', WEB_URL = 'http://localhost:3000' } = process.env
const { PARTNER_PATH = 'demo', PORT = '8080' } = process.env
const client = createClient({ api: EMOJID_API })

// The user of your wallet. Store the token as safely as their keys.
const user = {
  name: `wallet-user-${Date.now()}`,
  bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  refreshToken: undefined,
}

async function openAccount() {
  const answer = await fetch(`${EMOJID_API}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      alternate_id: user.name,
      password: crypto.randomUUID(),
      source: 'Wallet',
    }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  user.refreshToken = (await answer.json()).refresh_token
}

function linkTo(flow) {
  const link = new URL(`${WEB_URL}/partner/${PARTNER_PATH}${flow}`)
  const addresses = [{ '0x1003': `${user.bitcoin}|Savings` }]
  link.searchParams.set(
    'address_json',
    Buffer.from(JSON.stringify(addresses)).toString('base64url'),
  )
  link.searchParams.set('refresh_token', user.refreshToken)
  return link.href.replaceAll('&', '&amp;')
}

/** Verifies that the id pays this user; the parameter alone proves nothing. */
async function paysUs(eid) {
  try {
    const { address } = await client.pay(eid, { ticker: 'BTC' })
    return address === user.bitcoin
  } catch {
    return false
  }
}

async function page(url) {
  const address = new URL(url, 'http://localhost')
  if (address.pathname === '/back') {
    const eid = address.searchParams.get('eid')
    if (!eid) return 'Welcome back'
    return (await paysUs(eid)) ? `Your emoji id is ${eid}` : 'That id does not pay you'
  }
  return `
    <a href="${linkTo('')}">Get an emoji id</a>
    <a href="${linkTo('/link-email')}">Connect one that you have</a>
    <a href="${linkTo('/manage')}">Manage</a>`
}

await openAccount()
const server = createServer(async (request, response) => {
  const html = await page(request.url).catch(() => 'Nothing here')
  response.setHeader('content-type', 'text/html; charset=utf-8').end(html)
})
server.listen(Number(PORT), 'localhost', () => console.log(`Open http://localhost:${PORT}`))
