// Installs what building and running need, and builds programs, pages and pictures.
import { build } from './build.mjs'
import { install } from './install.mjs'

install('running')
await build()
