import { build } from './build.mjs'
import { install } from './install.mjs'

install()
build()
// In this very process: no second one to forward signals to.
await import('../packages/server/dist/main.js')
