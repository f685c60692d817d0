// Everything that a machine needs to run the service: packages, pictures, programs and pages.
import { build } from './build.mjs'
import { install } from './install.mjs'

install()
build()
