import type { TestService } from './service.ts'

const own = { 'sec-fetch-site': 'same-origin' }

export type OwnPage = ReturnType<typeof ownPage>

/** A page of the web site in a browser with a cookie jar of its own. */
export function ownPage(service: TestService) {
  const jar = new Map<string, string>()
  return async (address: string, body: object) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await service.post(address, body, { headers: { ...own, cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    return answer
  }
}

/** A partner with a branding. Returns its path. */
export async function partnerWith(
  admin: {
    post: (path: string, body: unknown) => Promise<unknown>
    put: (path: string, body: unknown) => Promise<{ status: number; body: string }>
  },
  partner_path: string,
  return_link: string,
): Promise<string> {
  await admin.post('/api/admin/organizations', { name: partner_path, partner_path })
  const branding = { currencies: ['BTC'], return_link }
  const set = await admin.put(`/api/organizations/${partner_path}/branding`, branding)
  if (set.status !== 200) throw new Error(`Could not set the branding: ${set.body}`)
  return partner_path
}
