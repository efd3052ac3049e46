/**
 * A service for tests that are about its death: runs one process, prints what it writes, and never
 * ends by itself. Arguments: the mode, the folder of services, the workspace, the script.
 */

import { createTestDriver } from './create-test-driver.js'
import { type SandboxMode, sandboxModes } from './modes.js'
import { requestOf, runInDriver } from './run-in-driver.js'

const [mode = '', place = '', workspace = '', script = ''] = process.argv.slice(2)
const { driver } = createTestDriver({ examined: sandboxModes[mode as SandboxMode], places: [place] })
const request = requestOf(workspace, script, { token: { variable: 'TOKEN_FILE', text: 'the token of a dead service' } })
let shown = 0
await runInDriver(driver, request, {
  onOutput(text) {
    process.stdout.write(text.slice(shown))
    shown = text.length
  },
})
