// Installs packages and builds pictures, programs and pages.
import { build } from './build.mjs'
import { install } from './install.mjs'

install()
build()
