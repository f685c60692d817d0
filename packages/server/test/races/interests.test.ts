import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant, newId } from '../support/ids.ts'
import { countWaiting } from '../support/in-line.ts'
import {
  type MailedService,
  newEmail,
  type Person,
  register,
  registerAs,
} from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
})

/** Creates many users with confirmed addresses who watch an id. Returns their addresses. */
async function crowd(id: string, size: number): Promise<string[]> {
  const emails = Array.from({ length: size }, newEmail)
  const moment = new Date()
  const dates = { created_at: moment, updated_at: moment }
  const unset = {
    claimed_at: null,
    alternate_id: null,
    source: null,
    first_name: null,
    last_name: null,
    password_hash: null,
    activation_source: null,
    partner_transaction_id: null,
    two_factor_last_prompted_at: null,
    deactivated_at: null,
    deleted_at: null,
  }
  const people = emails.map((email) => ({ email, email_verified_at: moment, ...dates, ...unset }))
  const users = await service.db.insertInto('users').values(people).returning('id').execute()
  const interests = users.map((user) => ({
    user_id: user.id,
    emoji_id: id,
    notified_at: null,
    ...dates,
  }))
  await service.db.insertInto('interests').values(interests).execute()
  return emails
}
const free = async (id: string) => {
  await grant(admin, { user_id: admin.id }, id)
  expect((await admin.delete(at(id))).status).toBe(200)
}
const mailCounts = async (emails: string[], id: string) => {
  await service.settle()
  return emails.map(
    (email) => service.mailsTo(email).filter(({ subject }) => subject?.includes(id)).length,
  )
}

describe('8 concurrent registrations of one interest', () => {
  it('create one', async () => {
    const [anna, id] = [await register(service), newId()]
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => anna.post('/api/user_interests', { emoji_id: id })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)])
    const rows = service.db.selectFrom('interests').select('id').where('emoji_id', '=', id)
    expect(await rows.execute()).toHaveLength(1)
  })
})

describe('many users who watch one id', () => {
  it('many users who watch one id are notified once each despite concurrent jobs', async () => {
    const id = newId()
    const emails = await crowd(id, 3)
    const job = { emoji_id: id }
    for (let n = 0; n < 5; n++) {
      await sql`select graphile_worker.add_job('interests.tell', ${JSON.stringify(job)}::json)`.execute(
        service.db,
      )
    }
    expect(await mailCounts(emails, id)).toEqual(emails.map(() => 1))
  })

  it('many users who watch one id are notified once each when a job fails halfway and restarts', async () => {
    const id = newId()
    const emails = await crowd(id, 53)
    const begunAt = service.clock.now()
    // The 52nd mail fails: the first of the second page of fifty is already queued.
    await sql`create sequence mails_made`.execute(service.db)
    await sql`create function break_once() returns trigger language plpgsql as $$
      begin
        if new.kind = 'id_available' and nextval('mails_made') = 52 then
          raise exception 'broken off';
        end if;
        -- Only their number matters.
        new.status = 'sent';
        new.sealed = null;
        new.finished_at = now();
        return new;
      end $$`.execute(service.db)
    await sql`create trigger break_once before insert on messages
      for each row execute function break_once()`.execute(service.db)
    await free(id)
    const retry = sql`update graphile_worker._private_jobs set run_at = now()
      where attempts > 0 and locked_at is null`
    const countNotified = async () => {
      await retry.execute(service.db)
      const interests = service.db.selectFrom('interests').select('id').where('emoji_id', '=', id)
      return (await interests.where('notified_at', 'is not', null).execute()).length
    }
    await expect.poll(countNotified).toBe(emails.length)
    await service.settle()
    const queuedMails = await service.db
      .selectFrom('messages')
      .select('id')
      .where('kind', '=', 'id_available')
      .where('created_at', '>=', begunAt)
      .execute()
    const mailCount = await sql<{ last_value: string }>`select last_value from mails_made`.execute(
      service.db,
    )
    await sql`drop function break_once cascade`.execute(service.db)

    expect(queuedMails).toHaveLength(emails.length)
    expect(Number(mailCount.rows[0]?.last_value)).toBeGreaterThan(53)
  })
})

describe('an interest registered during the release of the id', () => {
  it('counts: the release waits for it', async () => {
    const [anna, id] = [await registerAs(service, 'User'), newId()]
    await grant(admin, { user_id: admin.id }, id)
    await sql`create function be_held() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(hashtextextended('held', 0)); return new; end $$`.execute(
      service.db,
    )
    await sql`create trigger be_held before insert on interests
      for each row execute function be_held()`.execute(service.db)
    const requests: ReturnType<Person['post']>[] = []
    await service.db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('held', 0))`.execute(trx)
      requests.push(anna.post('/api/user_interests', { emoji_id: id }))
      await expect.poll(() => countWaiting(service)).toBe(1)
      requests.push(admin.delete(at(id)))
      await expect.poll(() => countWaiting(service)).toBe(2)
    })
    const answers = await Promise.all(requests)
    await sql`drop function be_held cascade`.execute(service.db)

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await mailCounts([anna.email], id)).toEqual([1])
  })
})
