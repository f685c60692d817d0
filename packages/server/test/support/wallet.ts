import { createClient } from '@emojid/sdk'
import { at, grant } from './ids.ts'
import { goodPassword, newcomer, registerAs } from './people.ts'
import type { TestService } from './service.ts'

export const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
export const otherBitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
export const ethereum = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

/** For tests that count requests: on a busy machine the SDK would give up and retry. */
export const timeoutMs = 4 * 60_000

type Fetch = typeof globalThis.fetch

/** A `fetch` that records requests and can change responses. */
export function watchedFetch(
  change: (answer: Response, url: string) => Response | Promise<Response> = (a) => a,
) {
  const went: { method: string; path: string; status: number; key: string | null }[] = []
  const fetch: Fetch = async (input, init) => {
    const url = String(input)
    const answer = await globalThis.fetch(input, init)
    const { pathname } = new URL(url)
    const key = new Headers(init?.headers).get('idempotency-key')
    went.push({ method: init?.method ?? 'GET', path: pathname, status: answer.status, key })
    return change(answer, url)
  }
  return { fetch, went }
}

export type Payable = Awaited<ReturnType<typeof createPayable>>

/** An owner of an id with addresses, and a payer. */
export async function createPayable(service: TestService) {
  const admin = await registerAs(service, 'Admin')
  const anna = await newcomer(service, { password: goodPassword, isVerified: true })
  const api = `${service.address}/api`
  const edit = async (id: string, body: object) => {
    const answer = await anna.patch(at(id), body)
    if (answer.status !== 200) throw new Error(answer.body)
  }
  /** Replaces the current one. */
  const setBitcoin = (id: string, data: string) => edit(id, { insert: [{ tag: '0x1003', data }] })
  const newId = async (emoji_id?: string) => {
    const id = await grant(admin, { user_id: anna.id }, emoji_id)
    const insert = [
      { tag: '0x1003', data: bitcoin },
      { tag: '0x1004', data: ethereum },
    ]
    await edit(id, { insert })
    return id
  }
  return { admin, anna, api, edit, setBitcoin, newId, client: createClient({ api }) }
}
