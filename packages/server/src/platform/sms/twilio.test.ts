import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTwilioTransport } from './twilio.ts'

type Post = { method?: string; path?: string; authorization?: string; type?: string; body: string }

const posts: Post[] = []
let status = 201
let isBroken = false
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { method, url: path, headers } = request
  posts.push({
    method,
    path,
    authorization: headers.authorization,
    type: headers['content-type'],
    body,
  } as Post)
  if (isBroken) request.socket.destroy()
  else response.writeHead(status, { location: '/elsewhere' }).end('{"to":"+14155550100"}')
})
let host = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as { port: number }).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  posts.length = 0
  status = 201
  isBroken = false
})

const sms = { id: '1', to: '+14155550100', text: '123456 & more ✓', at: new Date() }
const transport = () =>
  createTwilioTransport(`http://AC12:t%2Fk@${host}/Accounts/AC12/Messages.json?From=%2B15550001`)

describe('a text message', () => {
  it("is posted in the form of Twilio's Messages", async () => {
    await transport().send(sms)
    const [post] = posts

    expect(posts).toHaveLength(1)
    expect(post).toMatchObject({ method: 'POST', path: '/Accounts/AC12/Messages.json' })
    expect(post?.authorization).toBe(`Basic ${Buffer.from('AC12:t/k').toString('base64')}`)
    expect(post?.type).toContain('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(post?.body))).toEqual({
      To: '+14155550100',
      From: '+15550001',
      Body: '123456 & more ✓',
    })
  })

  it.each([
    { answer: 400, isFinal: true },
    { answer: 401, isFinal: false },
    { answer: 429, isFinal: false },
    { answer: 500, isFinal: false },
    { answer: 302, isFinal: false },
  ])('answered with $answer fails; permanent: $isFinal', async ({ answer, isFinal }) => {
    status = answer
    const sending = transport().send(sms)

    await expect(sending).rejects.toMatchObject({ reason: `sms ${answer}`, isFinal })
    await expect(sending).rejects.not.toThrow('14155550100')
    expect(posts).toHaveLength(1)
  })

  it('a text message is not retried when the connection breaks before the response', async () => {
    isBroken = true
    const sending = transport().send(sms)
    await expect(sending).rejects.toMatchObject({ reason: 'sms unanswered', isFinal: true })
    expect(posts).toHaveLength(1)
  })

  it('fails temporarily when the provider is unreachable', async () => {
    const sending = createTwilioTransport('http://a:b@127.0.0.1:9/?From=1').send(sms)
    await expect(sending).rejects.toMatchObject({ reason: 'sms unreachable', isFinal: false })
  })
})

describe('an address without a sender', () => {
  it('an address without a sender is refused without repeating the address', () => {
    const create = () => createTwilioTransport('https://AC12:secret@sms.example/Messages.json')
    expect(create).toThrow('SMS_URL names no sender')
    expect(create).not.toThrow('secret')
  })
})
