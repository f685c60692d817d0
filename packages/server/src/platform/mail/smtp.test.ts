import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type SmtpSink, smtpSink } from '../../../test/support/smtp.ts'
import { createSmtpTransport, smtpTimeouts } from './smtp.ts'

let sink: SmtpSink
beforeAll(async () => {
  sink = await smtpSink()
})
afterAll(() => sink.close())

const message = (to: string) => ({
  id: 'one',
  to,
  subject: 'Hello ✓',
  text: 'text',
  html: '<p>html</p>',
  at: new Date('2026-01-02T03:04:05Z'),
})

describe('the SMTP transport', () => {
  it('never delivers to a recipient smuggled into an address (header injection)', async () => {
    const transport = createSmtpTransport({ url: sink.url, from: 'us@ids.example' })
    const before = [...sink.received]
    for (const to of [
      'victim@x.com\r\nBcc: evil@y.z',
      'a@x.com,evil@y.z',
      '"a" <evil@y.z>',
      'g:evil@y.z;',
      'a@x.com>\r\nRCPT TO:<evil@y.z',
    ]) {
      await expect(transport.send(message(to))).rejects.toMatchObject({ isFinal: true })
    }
    expect(sink.received).toEqual(before)
  })

  it('sends the time of writing and the configured sender', async () => {
    const transport = createSmtpTransport({ url: sink.url, from: 'us@ids.example' })
    await transport.send(message('u@example.com'))
    const { mail, envelope } = sink.received.at(-1) ?? {}

    expect(envelope).toEqual({ from: 'us@ids.example', to: ['u@example.com'] })
    expect(mail).toMatchObject({
      messageId: '<one@ids.example>',
      subject: 'Hello ✓',
      date: '2026-01-02T03:04:05.000Z',
    })
  })

  it('gives up on a silent server after 5 s', async () => {
    sink.behave('hang')
    onTestFinished(() => sink.behave('accept'))
    const timeouts = { ...smtpTimeouts, greetingTimeout: 100 }
    const transport = createSmtpTransport({ url: sink.url, from: 'us@ids.example', timeouts })
    const sending = transport.send(message('u@example.com'))

    await expect(sending).rejects.toMatchObject({ reason: 'smtp ETIMEDOUT', isFinal: false })
    expect(smtpTimeouts).toMatchObject({ connectionTimeout: 5_000, greetingTimeout: 5_000 })
  })
})
