#!/usr/bin/env node
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findBundle } from './bundle.mjs'

const bundle = findBundle(realpathSync.native(fileURLToPath(new URL('../../..', import.meta.url))))
const { main } = await import(bundle?.main ?? '../dist/main.js')

process.exitCode = await main(process.argv.slice(2), bundle && { bundledEntries: bundle.entries })
