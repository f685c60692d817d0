// Runs an operator's command of the server: node scripts/command.mjs backup [arguments]
import { build } from './build.mjs'
import { install } from './install.mjs'

const [name] = process.argv.splice(2, 1)
install()
build()
await import(`../packages/server/dist/commands/${name}.js`)
