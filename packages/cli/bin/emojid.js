#!/usr/bin/env node
// Built beside it; this file is there, and can be run, before anything is built.
import '../dist/main.js'
