import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, insertOwnedId, newId } from '../../../../test/support/ids.ts'
import {
  type MailedService,
  newcomer,
  newEmail,
  type Person,
  registerAs,
} from '../../../../test/support/people.ts'
import { stopRefill } from '../../../../test/support/refill.ts'
import { sharedMailedService } from '../../../../test/support/shared-service.ts'
import { waitUntil } from '../../../../test/support/wait.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'

let service: MailedService
let admin: Person
let owner: Person
const { resume } = stopRefill()
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
  owner = await newcomer(service, { isVerified: true })
})
afterAll(resume)

type View = {
  id: string
  emoji_id: string
  text: string
  email: string | null
  times: number
  open_reports: number
  decision: string | null
}
type Facts = View & {
  reported_id: { is_registered: boolean; owner: { email: string } | null }
  owner_then: { email: string } | null
  transfers: { to: { email: string } | null }[]
  record_changes: { version: number }[]
  other_reports: View[]
}

const newOwned = () => insertOwnedId(service, owner.id)
const newText = () => `They asked for money and vanished: ${randomUUID()}`
let networks = 0
/** An address whose narrow and wide networks no other test uses. */
const newAddress = () => {
  const nth = networks++
  return `${60 + (nth >> 8)}.${nth & 255}.7.1`
}
const report = (id: string, body: object = {}, from = newAddress()) =>
  service.post(
    at(id, '/reports'),
    { category: 'scam', text: newText(), ...body },
    { headers: { 'x-forwarded-for': from } },
  )
const find = async (query: string) =>
  (await admin.get(`/api/admin/reports?${query}`)).json<{
    data: View[]
    paging: { total: number }
  }>()
const about = async (id: string) => (await find(`emoji_id=${encodeURIComponent(id)}`)).data
const show = async (id: string) => (await admin.get(`/api/admin/reports/${id}`)).json<Facts>()
const reason = 'Checked with the owner of the brand'
const decide = (id: string, body: object = {}, by = admin) =>
  by.post(`/api/admin/reports/${id}/decide`, { decision: 'no_action', reason, ...body })
const firstAbout = async (id: string) => (await about(id))[0]?.id ?? ''

describe('reporting an id', () => {
  it('queues the report with the history of the id, and emails the decision', async () => {
    const id = await newOwned()
    const email = newEmail()
    const text = `Visit https://evil.example.com now ${randomUUID()}`
    await owner.patch(at(id), { insert: [{ tag: '0x0002', data: 'Guitars' }] })
    const reportAnswer = await report(id, { text, email, category: 'impersonation' })
    expect(reportAnswer.json()).toEqual({ mails_decision: true })

    const report_id = await firstAbout(id)
    const next = await newcomer(service, { isVerified: true })
    await admin.post('/api/transfers', {
      eid: id,
      email: next.email,
      force_transfer: true,
      reason,
    })
    const facts = await show(report_id)
    expect(facts).toMatchObject({
      emoji_id: id,
      text,
      email,
      times: 1,
      open_reports: 1,
      owner_then: { email: owner.email },
      reported_id: { is_registered: true, owner: { email: next.email } },
      transfers: [{ to: { email: next.email } }],
      other_reports: [],
    })
    expect(facts.record_changes.length).toBeGreaterThan(0)

    const decidedAnswer = await decide(report_id, {
      decision: 'other',
      note: 'We warned the owner.',
    })
    expect(decidedAnswer.json()).toMatchObject({
      decision: 'other',
      email: null,
      open_reports: 0,
      decided_by_user: { email: admin.email },
    })
    const mail = await service.mailTo(email)
    expect(mail?.subject).toBe(`Our decision about ${id}`)
    expect(mail?.text).toContain('We warned the owner.')
    for (const body of [mail?.text, mail?.html]) {
      expect(body).not.toContain('evil.example.com')
      expect(body).not.toContain(owner.email)
    }
    const storedReport = await service.db
      .selectFrom('abuse_reports')
      .select(['email', 'network'])
      .where('id', '=', report_id)
      .executeTakeFirst()
    expect(storedReport).toEqual({ email: null, network: null })

    const entries = (
      await admin.get(`/api/admin/audit?event=report.decided&actor_id=${admin.id}&limit=1`)
    ).json<{ data: { subject_id: string | null; details: object }[] }>().data
    expect(entries[0]).toMatchObject({
      subject_id: null,
      details: { report_ids: [report_id], emoji_id: id, decision: 'other', reason },
    })
    const filedEntries = (await admin.get('/api/admin/audit?event=report.filed&limit=200')).body
    expect(filedEntries).toContain(report_id)
    expect(filedEntries).not.toContain(email)
  })

  it('filters and pages the queue', async () => {
    const id = await newOwned()
    await report(id, { category: 'illegal' })
    await report(id, { category: 'offensive' })
    const query = `emoji_id=${encodeURIComponent(id)}`
    const [first, second] = await about(id)
    expect((await find(`${query}&category=offensive`)).data.map((one) => one.id)).toEqual([
      second?.id,
    ])
    const page = await find(`${query}&page=1&limit=1`)
    expect(page.paging.total).toBe(2)
    const earlyAnswer = await decide(first?.id ?? '', { decision: 'suspended' })
    expect([earlyAnswer.status, earlyAnswer.json()]).toMatchObject([422, { code: 'not_suspended' }])
    await admin.post(`/api/admin/emoji_ids/${encodeURIComponent(id)}/suspend`, { reason })
    await decide(first?.id ?? '', { decision: 'suspended' })
    expect((await find(`${query}&status=open`)).data.map((one) => one.id)).toEqual([second?.id])
    expect((await find(`${query}&decision=suspended`)).data.map((one) => one.id)).toEqual([
      first?.id,
    ])
    expect((await find(`${query}&from=2999-01-01`)).data).toEqual([])
    expect((await admin.get('/api/admin/reports?emoji_id=x')).status).toBe(400)
  })

  it.each([
    ['an id without an owner', () => newId(), {}, 404],
    ['a text that is not an id', () => 'hello', {}, 400],
    ['an unknown category', () => newOwned(), { category: 'boredom' }, 400],
    ['a text of blanks', () => newOwned(), { text: ' \n'.repeat(20) }, 400],
    ['a text that is too long', () => newOwned(), { text: 'x'.repeat(2_001) }, 400],
    ['several addresses', () => newOwned(), { email: 'a@example.com, b@example.com' }, 400],
    [
      'an address with a line break',
      () => newOwned(),
      { email: 'a@example.com\nBcc: b@e.com' },
      400,
    ],
  ])('refuses %s', async (_what, idOf, body, status) => {
    const id = await idOf()
    expect((await report(id, body)).status).toBe(status)
    const storedQuery = service.db
      .selectFrom('abuse_reports')
      .select('id')
      .where('emoji_id', '=', id)
    expect(await storedQuery.execute()).toEqual([])
  })

  it('says nothing about the owner to the reporter', async () => {
    const id = await newOwned()
    const body = (await report(id)).json()
    expect(Object.keys(body)).toEqual(['mails_decision'])
    const page = await service.get(`/report/${encodeURIComponent(id)}`)
    expect(page.body).not.toContain(owner.email)
    expect(page.body).not.toContain(owner.id)
    expect((await owner.get(`/api/admin/reports?emoji_id=${encodeURIComponent(id)}`)).status).toBe(
      403,
    )
  })
})

describe('a flood of reports', () => {
  it('folds copies into one report, and mails one decision to a mailbox with several reports', async () => {
    const id = await newOwned()
    const [text, email] = [newText(), newEmail()]
    const tagged = email.replace('@', '+again@')
    expect((await report(id, { text, email })).json()).toEqual({ mails_decision: true })
    expect((await report(id, { text: `  ${text.toUpperCase()} !` })).json()).toEqual({
      mails_decision: false,
    })
    const second = newText()
    expect((await report(id, { text: second, email: tagged })).json()).toEqual({
      mails_decision: true,
    })
    const copies = await Promise.all([1, 2, 3, 4].map(() => report(id, { text })))
    expect(copies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await about(id)).toMatchObject([
      { times: 6, email, text },
      { times: 1, email: tagged, text: second },
    ])
    await decide(await firstAbout(id), { every_report: true })
    await service.settle()
    expect(service.mailsTo(email)).toHaveLength(1)
    expect(service.mailsTo(tagged)).toHaveLength(0)
    // The same report after the decision is a new one.
    await report(id, { text })
    expect(await about(id)).toHaveLength(3)
  })

  it('answers a stranger who enters the mailbox of a reporter as it answers for any other mailbox', async () => {
    const id = await newOwned()
    const reporter = newEmail()
    await report(id, { email: reporter })
    const [own] = await about(id)
    const probe = async (email: string) => {
      const from = newAddress()
      const text = newText()
      const bodies = [{ text }, { text, email }, { email }, { email: newEmail() }, {}, { email }]
      const answers: unknown[] = []
      for (const body of bodies) answers.push((await report(id, body, from)).json())
      // The same text again, with an address of the prober's own.
      const last = newText()
      const other = newAddress()
      for (const one of [email, newEmail()])
        answers.push((await report(id, { text: last, email: one }, other)).json())
      return answers
    }
    expect(await probe(reporter)).toEqual(await probe(newEmail()))
    expect((await about(id)).find((one) => one.id === own?.id)).toEqual({
      ...own,
      open_reports: expect.any(Number),
    })
  })

  it('keeps the first texts of a report that junk is folded into', async () => {
    const [id, from] = [await newOwned(), newAddress()]
    const texts = Array.from({ length: 10 }, () => newText())
    for (const text of texts) expect((await report(id, { text }, from)).status).toBe(200)
    const full = (await about(id)).find(({ times }) => times > 1) as View & {
      folded_texts: { text: string }[]
    }
    const shown = [3, 4, 7, 8, 9].map((nth) => texts[nth])
    expect(full.folded_texts.map(({ text }) => text)).toEqual(shown)
    const file = (await admin.get(`/api/admin/reports/export?emoji_id=${encodeURIComponent(id)}`))
      .body
    for (const text of shown) expect(file).toContain(text)
  })

  it('stores few reports of one network about one id, and stops the network after ten', async () => {
    const [id, from] = [await newOwned(), newAddress()]
    for (let nth = 0; nth < 5; nth++) expect((await report(id, {}, from)).status).toBe(200)
    expect((await about(id)).map(({ times }) => times).sort()).toEqual([1, 1, 3])
    const more = await Promise.all(Array.from({ length: 10 }, () => report(id, {}, from)))
    const statuses = more.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    const refusal = more.find(({ status }) => status === 429)
    expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(0)
    // The form of the page shares the limit; other networks go on.
    const form = new URLSearchParams({ category: 'scam', text: newText() }).toString()
    const path = `/report/${encodeURIComponent(id)}`
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': from,
    }
    const page = await service.call('POST', path, { raw: form, headers })
    expect(page.status).toBe(429)
    expect(page.headers.get('retry-after')).toBeTruthy()
    expect((await report(id)).status).toBe(200)
  })

  it('stops a wide network that spreads its reports over its networks', async () => {
    const id = await newOwned()
    const answers = await Promise.all(
      Array.from({ length: 42 }, (_, nth) => report(id, {}, `203.7.${nth}.1`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  })

  it('stores at most 50 open reports about one id, from any number of networks at once', async () => {
    const id = await newOwned()
    const answers = await Promise.all(
      Array.from({ length: 55 }, () => report(id, { email: newEmail() })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const storedViews = await about(id)
    expect(storedViews).toHaveLength(50)
    expect(storedViews.reduce((sum, { times }) => sum + times, 0)).toBe(55)
    const promisedAnswers = answers.filter((answer) => answer.json()['mails_decision'] === true)
    expect(promisedAnswers).toHaveLength(50)
    // One email of the decision is enough.
    const [first] = storedViews
    await service.db
      .updateTable('abuse_reports')
      .set({ email: null })
      .where('emoji_id', '=', id)
      .where('id', '!=', first?.id ?? '')
      .execute()
    const decidedFacts = (await decide(first?.id ?? '', { every_report: true })).json<Facts>()
    expect(decidedFacts.open_reports).toBe(0)
    expect(decidedFacts.other_reports).toHaveLength(49)
    expect(decidedFacts.other_reports.every(({ decision }) => decision === 'no_action')).toBe(true)
  })

  it('promises at most ten emails a day to the address of a third party', async () => {
    const victim = newEmail()
    const mailboxes = Array.from({ length: 12 }, (_, nth) => victim.replace('@', `+${nth}@`))
    const promised: unknown[] = []
    for (const email of mailboxes) {
      promised.push((await report(await newOwned(), { email })).json()['mails_decision'])
    }
    expect(promised.filter(Boolean)).toHaveLength(10)
    await service.settle()
    expect([victim, ...mailboxes].flatMap(service.mailsTo)).toEqual([])
    // Notices about an account with this mailbox are counted apart.
    const counter = createHash('sha256').update(`mailbox ${victim}`).digest()
    const usedQuery = service.db
      .selectFrom('notice_counts')
      .select('sent')
      .where('subject', '=', counter)
    expect(await usedQuery.execute()).toEqual([])
  })
})

describe('a decision', () => {
  it('a decision is made once by operators who decide at the same time', async () => {
    const [id, email] = [await newOwned(), newEmail()]
    await report(id, { email })
    const report_id = await firstAbout(id)
    const second = await registerAs(service, 'Admin')
    const answers = await Promise.all([
      decide(report_id, { decision: 'other', note: 'We warned the owner.' }),
      decide(report_id, {}, second),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    await service.mailTo(email)
    expect(service.mailsTo(email)).toHaveLength(1)
    expect((await decide(report_id)).json()).toMatchObject({ code: 'decided_report' })
  })

  it('suspends the id in the same step, or changes nothing if a colleague was faster', async () => {
    const [id, email] = [await newOwned(), newEmail()]
    await report(id, { email })
    const report_id = await firstAbout(id)
    const suspending = { decision: 'suspended', suspend: true }
    const wrongAnswer = await decide(report_id, { suspend: true })
    expect([wrongAnswer.status, wrongAnswer.json()]).toMatchObject([400, { code: 'unfit_suspend' }])
    const keyBody = { name: 'Reports', scopes: ['adminEmoji:write'] }
    const { api_key } = (await admin.post('/api/api_keys', keyBody)).json<{ api_key: string }>()
    const byKey = await service.post(
      `/api/admin/reports/${report_id}/decide`,
      { ...suspending, reason },
      { headers: { 'x-api-key': api_key } },
    )
    expect([byKey.status, byKey.json()['code']]).toEqual([403, 'insufficient_scope'])
    await decide(report_id, {}, await registerAs(service, 'Admin'))
    const late = await decide(report_id, suspending)
    expect([late.status, late.json()]).toMatchObject([422, { code: 'decided_report' }])
    expect((await service.get(at(id))).status).toBe(200)

    await report(id, { email })
    const [second] = (await find(`emoji_id=${encodeURIComponent(id)}&status=open`)).data
    const decidedAnswer = await decide(second?.id ?? '', suspending)
    expect([decidedAnswer.status, decidedAnswer.json()]).toMatchObject([
      200,
      { decision: 'suspended', reported_id: { suspended: true } },
    ])
    expect((await service.get(at(id))).status).toBe(451)
    await expect
      .poll(() => service.mailsTo(owner.email).some(({ text }) => text?.includes(reason)))
      .toBe(true)
  })

  it('a decision is not made by the owner of the id, nor without a note if it is another one', async () => {
    const id = await insertOwnedId(service, admin.id)
    await report(id)
    const report_id = await firstAbout(id)
    expect((await decide(report_id)).json()).toMatchObject({ code: 'own_reported_id' })
    const second = await registerAs(service, 'Admin')
    const unexplainedAnswer = await decide(report_id, { decision: 'other' }, second)
    expect([unexplainedAnswer.status, unexplainedAnswer.json()['code']]).toEqual([
      400,
      'missing_note',
    ])
    expect((await decide(report_id, {}, await newcomer(service))).status).toBe(403)
    expect((await decide(randomUUID(), {}, second)).status).toBe(404)
    expect(await about(id)).toMatchObject([{ decision: null }])
  })

  it('a decision is deleted with its report after a year; open reports stay', async () => {
    const id = await newOwned()
    await report(id)
    await decide(await firstAbout(id))
    await report(id)
    await service.db
      .updateTable('abuse_reports')
      .set({ decided_at: new Date(Date.now() - 366 * 24 * 3_600_000) })
      .where('emoji_id', '=', id)
      .where('decided_at', 'is not', null)
      .execute()
    await addJob(service.db, 'abuse_reports.purge', {})
    await waitUntil(async () => (await about(id)).length <= 1)
    expect(await about(id)).toMatchObject([{ decision: null }])
  })
})

describe('the report page', () => {
  const send = (id: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    service.call('POST', `/report/${encodeURIComponent(id)}`, {
      raw: new URLSearchParams(form).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': newAddress(),
        ...headers,
      },
    })

  it('the report page is linked from the page of an id, and takes a report without scripts', async () => {
    const id = await newOwned()
    const idPage = await service.get(`/${encodeURIComponent(id)}`)
    expect(idPage.body).toContain(`/report/${encodeURIComponent(id)}"`)
    const form = await service.get(`/report/${encodeURIComponent(id)}`)
    expect(form.status).toBe(200)
    expect(form.body).not.toContain('<script')
    const text = newText()
    const finalAnswer = await send(id, { category: 'scam', text, email: newEmail() })
    expect(finalAnswer.status).toBe(200)
    expect(finalAnswer.body).toContain('We’ll email you our decision.')
    expect(await about(id)).toMatchObject([{ text }])
  })

  it('the report page works for an id that redirects its visitors', async () => {
    const id = await newOwned()
    await owner.patch(at(id), { insert: [{ tag: '0x0004', data: 'https://example.com/' }] })
    expect((await service.get(`/${encodeURIComponent(id)}`)).status).toBe(303)
    expect((await service.get(`/report/${encodeURIComponent(id)}`)).status).toBe(200)
  })

  it('the report page shows the entered texts again, escaped, and refuses forms of other sites', async () => {
    const id = await newOwned()
    const text = `<script>alert(1)</script> ${newText()}`
    const secondAnswer = await send(id, { category: 'scam', text, email: '"><b>' })
    expect(secondAnswer.status).toBe(400)
    expect(secondAnswer.body).toContain('isn’t a valid email address')
    expect(secondAnswer.body).toContain('&#60;script&#62;alert(1)')
    expect(secondAnswer.body).not.toContain('<script>alert')
    expect((await send(id, { category: 'x', text })).body).toContain('Choose what is wrong.')
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' }
    expect((await send(id, { category: 'scam', text }, foreign)).status).toBe(403)
    expect((await send(newId(), { category: 'scam', text })).status).toBe(404)
    expect((await service.get('/report/hello')).status).toBe(400)
    expect(await about(id)).toEqual([])
  })
})
