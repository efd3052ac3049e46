#!/usr/bin/env node
/** The build step of a plugin: `agent-service-plugin build [folder]`. */
import { runPluginCommand } from '../dist/build/plugin-command.js'

const status = await runPluginCommand(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
})
// A plugin that starts work at import time would keep the process alive for ever.
process.exit(status)
