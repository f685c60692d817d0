// Receives webhooks, verifies their signatures, and looks up the id of each event.
//   WEBHOOK_SECRET=whsec_… node examples/receive-a-webhook.mjs
import { createServer } from 'node:http'
import { createClient, verifyWebhook, WebhookError } from '@emojid/sdk'

const { EMOJID_API = 'http://localhost:3000/api', WEBHOOK_SECRET, PORT = '4000' } = process.env
const client = createClient({ api: EMOJID_API })
const seen = new Set()

async function readBody(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function handle({ type, data }) {
  if (type !== 'emoji_id.records_changed') return console.log(type)
  // An event never has an address, and events arrive in any order: the lookup has the newest one.
  const { address } = await client.pay(data.emoji_id, { ticker: 'BTC' })
  console.log(`${data.emoji_id} takes BTC at ${address}`)
}

const server = createServer(async (request, response) => {
  try {
    // The signature covers the body as it arrived, before any parsing.
    const event = await verifyWebhook(request.headers, await readBody(request), WEBHOOK_SECRET)
    response.writeHead(204).end()
    // A delivery may arrive twice. Its id is always the same.
    const id = request.headers['webhook-id']
    if (seen.has(id)) return
    seen.add(id)
    await handle(event)
  } catch (error) {
    console.log(error.code)
    if (error instanceof WebhookError) response.writeHead(400).end()
  }
})
server.listen(Number(PORT), () => console.log('Listening'))
