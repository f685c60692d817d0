import { grant } from './ids.ts'
import { type Person, register, registerAs } from './people.ts'
import type { TestService } from './service.ts'

export type Browser = ReturnType<typeof openBrowser>

/** An application with its secret, and a user with three ids who signs in there. */
export async function startApplicationFlow(
  service: TestService,
  redirect_uri = 'https://app.example/callback',
) {
  const admin = await registerAs(service, 'Admin')
  const organization = await admin.post('/api/admin/organizations', { name: 'Crab Games' })
  const clientResponse = await admin.post('/api/admin/oauth_clients', {
    organization_id: organization.json()['id'],
    name: 'Crab Chess',
    redirect_uris: [redirect_uri],
  })
  if (clientResponse.status !== 200)
    throw new Error(`Could not register the application: ${clientResponse.body}`)
  const { client_id, client_secret } = clientResponse.json<{
    client_id: string
    client_secret: string
  }>()
  const person = await register(service)
  const [, id = ''] = [
    await grant(admin, { user_id: person.id }),
    await grant(admin, { user_id: person.id }),
    await grant(admin, { user_id: person.id }),
  ]
  const origin = `http://localhost:${service.port}`
  return {
    admin,
    client_id,
    client_secret,
    redirect_uri,
    person,
    id,
    authUrl: `${origin}/auth`,
    apiUrl: `${origin}/api`,
    idsSeenWith: (access_token: string) => idsSeen(`${origin}/api`, access_token),
  }
}

/** The data that an application reads with its access token. */
async function idsSeen(apiUrl: string, access_token: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${access_token}` }
  const answer = await fetch(`${apiUrl}/emoji_id`, { headers })
  return answer.ok ? answer.json() : answer.status
}

/** A minimal browser: it keeps cookies and submits forms. */
export function openBrowser() {
  const cookies = new Map<string, string>()
  const visit = async (address: string | URL, form?: Record<string, string>) => {
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    const location = answer.headers.get('location') ?? ''
    return { status: answer.status, location, body: await answer.text() }
  }
  /** Opens a page, submits one of its forms, and returns the redirect. */
  const submit = async (address: string | URL, action: string, fields: Record<string, string>) => {
    const { body } = await visit(address)
    const forms = [...body.matchAll(/<form[^>]*action="([^"]+)"[^>]*>(.*?)<\/form>/gs)]
    const form = forms.find(([, target = '']) => target.includes(action))
    if (!form) throw new Error(`No form for ${action} in: ${body}`)
    const [, target = '', inside = ''] = form
    const token = /name="form_token" value="([^"]+)"/.exec(inside)?.[1] ?? ''
    const formAnswer = await visit(target.replaceAll('&#38;', '&'), {
      form_token: token,
      ...fields,
    })
    if (!formAnswer.location) throw new Error(`The form was refused: ${formAnswer.body}`)
    return formAnswer.location
  }
  return {
    visit,
    signIn: (address: string | URL, { email, password }: Pick<Person, 'email' | 'password'>) =>
      submit(address, '/authorize/password', { email, password }),
    askForLink: (address: string | URL, email: string) =>
      submit(address, '/authorize/link', { email }),
    /** Chooses an id and returns the redirect to the application. */
    async choose(address: string | URL, id: string): Promise<URL> {
      const selector = await visit(address)
      const token = /name="form_token" value="([^"]+)"/.exec(selector.body)?.[1] ?? ''
      const choiceUrl = `${address}&svc=${encodeURIComponent(id)}&form_token=${token}`
      const { location, body } = await visit(choiceUrl)
      if (!location) throw new Error(`Choosing ${id} led nowhere: ${body}`)
      return new URL(location)
    },
    /** The whole flow, from the application and back to it. */
    async logIn(address: string | URL, person: Person, id: string): Promise<URL> {
      return this.choose(await this.signIn(address, person), id)
    },
  }
}
