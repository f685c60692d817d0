import { build } from './build.mjs'
import { install } from './install.mjs'

install()
build()
// Runs in this process, so signals need no forwarding.
await import('../packages/server/dist/main.js')
