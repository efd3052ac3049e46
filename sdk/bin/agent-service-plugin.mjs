#!/usr/bin/env node
/** The tools of a plugin's author: `agent-service-plugin --help`. */
import { runPluginCommand } from '../dist/build/plugin-command.js'

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stopped.abort())

const status = await runPluginCommand(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  environment: process.env,
  signal: stopped.signal,
})
// A plugin that starts work at import time would keep the process alive for ever.
process.exit(status)
