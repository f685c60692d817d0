#!/usr/bin/env node
// The build output beside it; this file exists and is executable before the first build.
import '../dist/main.js'
