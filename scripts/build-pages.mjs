// Beside the build of the programs, which needs nothing of it.
import { buildPages } from './build.mjs'

buildPages()
