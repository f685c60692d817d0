import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifyWebhook } from './webhook.ts'

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-11-17T11:20:31.482Z', data: {} })
const now = () => Math.floor(Date.now() / 1_000)
const signedHeaders = (secrets: string[], at = now(), id = 'evt_1') => ({
  'webhook-id': id,
  'webhook-timestamp': String(at),
  'webhook-signature': secrets
    .map((secret) =>
      createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(`${id}.${at}.${body}`)
        .digest('base64'),
    )
    .map((signature) => `v1,${signature}`)
    .join(' '),
})
const refusal = (code: string) =>
  expect.objectContaining({ name: 'WebhookError', code: `webhook_${code}` })

describe('verifyWebhook', () => {
  it('returns the event of a valid webhook, from any form of headers and body', async () => {
    const secret = newSecret()
    const headers = signedHeaders([secret])
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    for (const form of [headers, upper, new Headers(headers)]) {
      expect(await verifyWebhook(form, body, secret)).toEqual(JSON.parse(body))
    }
    expect(await verifyWebhook(headers, Buffer.from(body), secret)).toEqual(JSON.parse(body))
  })

  it('accepts either of two signatures while a secret is rotated', async () => {
    const [old, next] = [newSecret(), newSecret()]
    const headers = signedHeaders([next, old])
    expect(await verifyWebhook(headers, body, old)).toMatchObject({ type: 'order.paid' })
    expect(await verifyWebhook(headers, body, next)).toMatchObject({ type: 'order.paid' })
  })

  it('refuses a changed body, another secret, another id and other versions', async () => {
    const secret = newSecret()
    const headers = signedHeaders([secret])
    const { 'webhook-signature': signature } = headers
    const cases = [
      [headers, `${body} `, secret],
      [headers, body, newSecret()],
      [{ ...headers, 'webhook-id': 'evt_2' }, body, secret],
      [{ ...headers, 'webhook-signature': signature.replace('v1', 'v2') }, body, secret],
      [{ ...headers, 'webhook-signature': 'v1,%%% v1' }, body, secret],
    ] as const
    for (const [headers, text, key] of cases) {
      await expect(verifyWebhook(headers, text, key)).rejects.toEqual(refusal('signature'))
    }
  })

  it('refuses webhooks that are more than five minutes old or ahead', async () => {
    const secret = newSecret()
    for (const at of [now() - 310, now() + 310]) {
      await expect(verifyWebhook(signedHeaders([secret], at), body, secret)).rejects.toEqual(
        refusal('old'),
      )
    }
    await verifyWebhook(signedHeaders([secret], now() - 290), body, secret)
  })

  it('names a missing header and an empty secret', async () => {
    const secret = newSecret()
    await expect(verifyWebhook({}, body, secret)).rejects.toEqual(refusal('missing_header'))
    await expect(verifyWebhook(signedHeaders([secret]), body, 'whsec_')).rejects.toEqual(
      refusal('secret'),
    )
  })

  it('names a secret that is not set and a body that was parsed', async () => {
    const secret = newSecret()
    const verify = (text: unknown, key: unknown) =>
      verifyWebhook(signedHeaders([secret]), text as string, key as string)
    await expect(verify(body, undefined)).rejects.toEqual(refusal('secret'))
    await expect(verify(JSON.parse(body), secret)).rejects.toEqual(refusal('body'))
    await expect(verify(undefined, secret)).rejects.toEqual(refusal('body'))
  })
})
