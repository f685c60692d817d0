import { createHash, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Page } from 'playwright-core'
import { webServer } from './outside.ts'
import { goodPassword, type Person } from './people.ts'
import type { TestService } from './service.ts'

export type Application = Awaited<ReturnType<typeof startApplication>>

/** An application on its own site, where users log in with an emoji id. */
export async function startApplication(
  service: TestService,
  admin: Pick<Person, 'post'>,
  authUrl = `${service.webUrl}/auth`,
) {
  /** Stored here and not in a cookie, so that users may open their emails in another browser. */
  const verifiers = new Map<string, string>()
  const server = await webServer(async ({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    if (pathname === '/')
      return show(response, 'Crab Shop', `<a href="${begin()}">Log in with your emoji id</a>`)
    if (pathname !== '/callback') return response.writeHead(404).end()
    const { title, text } = await receive(Object.fromEntries(searchParams)).catch(failed)
    return show(response, title, `<p>${text}</p><a href="${begin()}">Again</a>`)
  })
  const redirect_uri = `${server.address}/callback`
  const organizationResponse = await admin.post('/api/admin/organizations', { name: 'Crab Shop' })
  const { id: organization_id } = organizationResponse.json<{ id: string }>()
  const terms = { organization_id, name: 'Crab Shop', redirect_uris: [redirect_uri] }
  const registrationAnswer = await admin.post('/api/admin/oauth_clients', terms)
  if (registrationAnswer.status !== 200)
    throw new Error(`Could not register: ${registrationAnswer.body}`)
  const { client_id, client_secret } = registrationAnswer.json<{
    client_id: string
    client_secret: string
  }>()

  /** The URL that the application redirects a browser to. */
  function begin(more: Record<string, string> = {}): string {
    const [state, verifier] = [random(), random()]
    verifiers.set(state, verifier)
    const code_challenge = createHash('sha256').update(verifier).digest('base64url')
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri,
      scope: 'svc',
      state,
      code_challenge,
      code_challenge_method: 'S256',
      ...more,
    })
    return `${authUrl}/authorize?${query}`
  }

  async function receive({ state = '', status, code = '', iss, error }: Record<string, string>) {
    const code_verifier = verifiers.get(state)
    if (!code_verifier) return { title: 'Not asked for', text: 'This state is not known.' }
    if (status === 'pending_magic_link') return { title: 'Waiting', text: 'Check your email.' }
    if (error || iss !== authUrl) return { title: 'Not logged in', text: error ?? 'Another server' }
    verifiers.delete(state)
    const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier }
    const { access_token } = await send<{ access_token: string }>(`${authUrl}/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, client_id, client_secret }),
    })
    const headers = { authorization: `Bearer ${access_token}` }
    const ids = await send<string[]>(`${service.webUrl}/api/emoji_id`, { headers })
    return { title: 'Logged in', text: `You are <output>${ids.join(' and ')}</output>` }
  }

  return { address: server.address, redirect_uri, begin, close: server.close }
}

const random = () => randomBytes(24).toString('base64url').padEnd(43, '~')
const failed = (error: Error) => ({ title: 'Not logged in', text: error.message })

async function send<Shape>(address: string, request: RequestInit): Promise<Shape> {
  const answer = await fetch(address, request)
  const body = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} ${body}`)
  return JSON.parse(body)
}

function show(response: ServerResponse, title: string, body: string) {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  return response.end(`<!doctype html><html lang="en"><title>${title}</title>
    <link rel="icon" href="data:,"><h1>${title}</h1>${body}</html>`)
}

/** Submits the password form on the page that an application redirected to. */
export async function submitPassword(page: Page, email: string, password = goodPassword) {
  const form = page.getByRole('form', { name: 'With your password' })
  await form.getByLabel('Email address').fill(email)
  await form.getByLabel('Password').fill(password)
  await form.getByRole('button', { name: 'Sign in' }).click()
}

export async function askForLink(page: Page, email: string) {
  const form = page.getByRole('form', { name: 'With an emailed link' })
  await form.getByLabel('Email address').fill(email)
  await form.getByRole('button', { name: 'Email me a link' }).click()
}
