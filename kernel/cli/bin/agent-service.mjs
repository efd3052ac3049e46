#!/usr/bin/env node
import { realpathSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { findBundle } from './bundle.mjs'

// Nothing that a start does runs long enough to be worth optimising, which would take a quarter of
// its processor time. A service that is ready optimises.
if (process.argv[2] === 'start') setFlagsFromString('--no-opt')

const bundle = findBundle(realpathSync.native(fileURLToPath(new URL('../../..', import.meta.url))))
// Node keeps what it compiled beside the bundle, where the version can, and reads it at the next start.
if (bundle.main !== undefined) module.enableCompileCache?.(fileURLToPath(new URL('compiled', bundle.main)))
const { runProgram } = await import(bundle.main ?? '../dist/main.js')

await runProgram(process.argv.slice(2), { bundle })
