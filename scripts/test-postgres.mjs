// Runs the suite on the server of DATABASE_URL, whose user needs the rights to create databases and roles.
import { run } from './install.mjs'

const { DATABASE_URL, ...others } = process.env
if (!DATABASE_URL) {
  console.error(
    'Set DATABASE_URL to a PostgreSQL server, such as postgres://user@localhost/postgres.',
  )
  process.exit(1)
}
process.env = others
run('node', ['scripts/test.mjs', ...process.argv.slice(2)], { TEST_DATABASE_URL: DATABASE_URL })
