import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, register, registerAs } from '../../../../test/support/people.ts'
import { enableApp, enterCode } from '../../../../test/support/second-factor.ts'
import { type TestService, testService } from '../../../../test/support/service.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'

type Job = { id: string; task: string; state: string; error: string | null; attempts: number }
type Page = { data: Job[]; paging: { total: number } }

let service: TestService
let admin: Person
beforeAll(async () => {
  // Without a worker, jobs stay in the queue.
  service = await testService({ env: { TWO_FACTOR_GRACE_SECONDS: '100' } })
  admin = await registerAs(service, 'Admin')
})
afterAll(() => service?.close())

let tasks = 0
/** Adds a job in this state. */
async function jobIn(state: string, error = 'It broke', task = `test.${state}_${++tasks}`) {
  await addJob(service.db, task, { password: 'do not show me' })
  const set = {
    waiting: {},
    running: { locked_at: new Date(), locked_by: 'a worker' },
    failed: { attempts: 3, last_error: error, run_at: new Date(Date.now() + 60_000) },
    given_up: { attempts: 25, last_error: error },
  }[state]
  const [one] = await find(`task=${task}`)
  if (set && Object.keys(set).length > 0) await setState(one?.id, set)
  return { task, id: one?.id ?? '' }
}
const setState = (id: string | undefined, set: object) =>
  service.db
    .updateTable('graphile_worker._private_jobs' as 'messages')
    .set(set as never)
    .where('id', '=', id as never)
    .execute()
const find = async (query: string) =>
  (await admin.get(`/api/admin/jobs?${query}`)).json<Page>().data
const reason = 'The mail server is back'
const remove = (id: string, by = admin) =>
  by.delete(`/api/admin/jobs/${id}?reason=${encodeURIComponent(reason)}`)

describe('the job queue', () => {
  it.each(['waiting', 'running', 'failed', 'given_up'])(
    'lists and counts %s jobs',
    async (state) => {
      const { task, id } = await jobIn(state)
      const jobs = await find(`state=${state}&task=${task}`)
      expect(jobs).toMatchObject([{ id, task, state }])
      const others = ['waiting', 'running', 'failed', 'given_up'].filter((one) => one !== state)
      for (const other of others) expect(await find(`state=${other}&task=${task}`)).toEqual([])
      const counts = (await admin.get('/api/admin/job_tasks')).json<Record<string, unknown>[]>()
      expect(counts.find((one) => one['task'] === task)).toMatchObject({ [state]: 1 })
    },
  )

  it('hides payloads and the secrets in errors', async () => {
    const { task } = await jobIn('failed', 'smtp://bob:pw@mail.test refused anna@example.com')
    const answer = await admin.get(`/api/admin/jobs?task=${task}`)
    expect(answer.body).not.toMatch(/do not show|pw@|anna/)
    expect(answer.json<Page>().data[0]?.error).toContain('refused')
  })

  it('the job queue is for administrators', async () => {
    const user = await registerAs(service, 'User')
    const { id } = await jobIn('failed')
    const calls = [
      await user.get('/api/admin/jobs'),
      await user.get('/api/admin/job_tasks'),
      await user.post(`/api/admin/jobs/${id}/retry`, { reason }),
      await remove(id, user),
    ]
    expect(calls.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  })
})

describe('a failed job', () => {
  it.each(['failed', 'given_up'])(
    'is retried immediately with an audit entry (%s)',
    async (state) => {
      const { id, task } = await jobIn(state)
      const answer = await admin.post(`/api/admin/jobs/${id}/retry`, { reason })
      expect([answer.status, answer.json()['state'], answer.json()['attempts']]).toEqual([
        200,
        'waiting',
        0,
      ])
      const due = answer.json<{ run_at: string }>().run_at
      expect(Date.parse(due)).toBeLessThanOrEqual(Date.now())
      expect(await lastEntry('job.retried')).toMatchObject({ job_id: id, task, reason })
    },
  )

  it('a failed job is removed with an audit entry', async () => {
    const { id, task } = await jobIn('given_up')
    expect((await remove(id)).json()).toEqual({ id, task })
    expect(await find(`task=${task}`)).toEqual([])
    expect((await remove(id)).status).toBe(404)
    expect(await lastEntry('job.removed')).toMatchObject({ job_id: id, task, reason })
  })

  it.each(['payments.check', 'interests.tell'])(
    'can be retried but not removed if payments or users depend on it (%s)',
    async (task) => {
      const { id } = await jobIn('given_up', 'It broke', task)
      expect(await find(`task=${task}`)).toMatchObject([{ id, removable: false }])
      const refusal = await remove(id)
      expect([refusal.status, refusal.json()['code']]).toEqual([422, 'kept_job'])
      const answer = await admin.post(`/api/admin/jobs/${id}/retry`, { reason })
      expect([answer.status, answer.json()['state']]).toEqual([200, 'waiting'])
    },
  )

  it('a failed job takes its message along, and the audit entry names the message', async () => {
    const { email } = await register(service)
    const [sentJob] = await find('task=notifications.send&dir=Desc&sort=created_at')
    await setState(sentJob?.id, { attempts: 25, last_error: 'no server' })
    const lastMessage = () =>
      service.db
        .selectFrom('messages')
        .select(['id', 'kind', 'sealed', 'status'])
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow()
    const { id, kind } = await lastMessage()
    expect((await remove(sentJob?.id ?? '')).status).toBe(200)
    expect(await lastMessage()).toMatchObject({ id, sealed: null, status: 'failed' })
    const entry = await lastEntry('job.removed')
    expect(entry).toMatchObject({ message_id: id, kind })
    expect(JSON.stringify(entry)).not.toContain(email)
  })

  it.each(['', 'reason=', 'reason=%20%20%20%20', 'reason=no'])(
    'is not removed without a reason (%s)',
    async (query) => {
      const { id } = await jobIn('failed')
      expect((await admin.delete(`/api/admin/jobs/${id}?${query}`)).status).toBe(400)
      expect((await admin.post(`/api/admin/jobs/${id}/retry`, { reason: ' ' })).status).toBe(400)
    },
  )

  it('requires a fresh second factor to be retried or removed', async () => {
    const careful = await registerAs(service, 'Admin')
    const { app } = await enableApp(service, careful)
    const login = await service.post('/api/auth/token', careful)
    const codeAnswer = await enterCode(service, login.json(), app.next())
    service.clock.advance(101_000)
    const { id } = await jobIn('failed')
    const answers = [
      await codeAnswer.post(`/api/admin/jobs/${id}/retry`, { reason }),
      await codeAnswer.delete(`/api/admin/jobs/${id}?reason=${encodeURIComponent(reason)}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([424, 424])
    expect((await find('state=failed')).map((job) => job.id)).toContain(id)
  })
})

describe('a job that has not failed', () => {
  it.each(['waiting', 'running'])(
    'a job that has not failed is neither retried nor removed (%s)',
    async (state) => {
      const { id, task } = await jobIn(state)
      const answers = [
        await admin.post(`/api/admin/jobs/${id}/retry`, { reason }),
        await remove(id),
      ]
      expect(answers.map(({ status }) => status)).toEqual([422, 422])
      expect(await find(`task=${task}`)).toHaveLength(1)
    },
  )
})

async function lastEntry(event: string) {
  const page = await admin.get(`/api/admin/audit?event=${event}&limit=1`)
  return page.json<{ data: { details: object }[] }>().data[0]?.details
}
