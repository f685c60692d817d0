import { makeSuper } from '../features/people/users/users.ts'
import { run, say } from './run.ts'
import { withDatabase } from './with-database.ts'

await run(async (config, log, [email]) => {
  if (!email) throw new Error('Name the account: npm run make-super -- name@example.com')
  await withDatabase(config, log, async (db) => {
    const outcome = await makeSuper(db, email)
    say(outcome === 'raised' ? `${email} is now a Super.` : `${email} is already a Super.`)
  })
})
