// Beside the builds, which need no pictures.
import { makePictures } from './install.mjs'

makePictures()
