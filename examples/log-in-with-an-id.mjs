// "Log in with your emoji id": sends the browser to the directory, and greets the person by the id.
//   AUTH_URL=http://localhost:3000/auth API_URL=http://localhost:3000/api \
//   CLIENT_ID=… CLIENT_SECRET=… node examples/log-in-with-an-id.mjs
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createClient, memoryTokens } from '@emojid/sdk'

const { AUTH_URL, API_URL, CLIENT_ID, CLIENT_SECRET, PORT = '4000' } = process.env
const redirectUri = `http://localhost:${PORT}/callback`
const random = () => randomBytes(32).toString('base64url')
const cookie = (value, seconds) =>
  `login=${value}; Path=/callback; HttpOnly; SameSite=Lax; Max-Age=${seconds}`

function begin(response) {
  const [state, verifier] = [random(), random()]
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: redirectUri,
    scope: 'svc',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const location = `${AUTH_URL}/authorize?${query}`
  const headers = { location, 'set-cookie': cookie(`${state}.${verifier}`, 3600) }
  response.writeHead(302, headers).end()
}

async function exchange(code, verifier) {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
  })
  const headers = { accept: 'application/json' }
  const answer = await fetch(`${AUTH_URL}/token`, { method: 'POST', headers, body: form })
  const tokens = await answer.json()
  if (!answer.ok) throw new Error(tokens.error_description)
  return tokens
}

async function readId(tokens) {
  const client = createClient({ api: API_URL, tokens: memoryTokens(tokens) })
  const [id] = await client.api.ownIds.listEmojiIds()
  if (!id) throw new Error('This person no longer owns the id.')
  return id
}

async function finish(request, url, response) {
  const query = Object.fromEntries(url.searchParams)
  const [, state, verifier] = /login=([^.;]+)\.([^;]+)/.exec(request.headers.cookie ?? '') ?? []
  if (!state || query.state !== state) {
    throw new Error('This browser asked for no sign-in. Start again.')
  }
  if (query.status === 'pending_magic_link') {
    return response.end('Open the link that was emailed to you, in this browser.')
  }
  if (query.iss !== AUTH_URL) throw new Error('The issuer is wrong.')
  if (query.error) throw new Error(query.error_description)
  const tokens = await exchange(query.code, verifier)
  const id = await readId(tokens)
  response.setHeader('set-cookie', cookie('', 0))
  response.end(`Hello ${id}`)
}

createServer(async (request, response) => {
  response.setHeader('content-type', 'text/plain; charset=utf-8')
  try {
    const url = new URL(request.url, redirectUri)
    if (url.pathname === '/login') begin(response)
    else if (url.pathname === '/callback') await finish(request, url, response)
    else response.writeHead(404).end('Nothing here.')
  } catch (error) {
    response.writeHead(400).end(`Not signed in: ${error.message}`)
  }
}).listen(PORT, () => console.log(`Open http://localhost:${PORT}/login`))
