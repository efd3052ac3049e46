#!/usr/bin/env node
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { findBundle } from './bundle.mjs'

// The heap grows in smaller steps: a burst of work leaves less memory behind, at the cost of more
// collector time.
setFlagsFromString('--heap-growing-percent=30')

const bundle = findBundle(realpathSync.native(fileURLToPath(new URL('../../..', import.meta.url))))
const { main } = await import(bundle?.main ?? '../dist/main.js')

process.exitCode = await main(process.argv.slice(2), bundle && { bundledEntries: bundle.entries })
