// Runs commands for `npm run bench -- sandbox`, bare and in the peer's sandbox, in turns with
// whatever else the bench measures: {bare, argv} comes in as a message, {ms, code} goes out.
import { spawn } from 'node:child_process'
import { SandboxManager } from '@anthropic-ai/sandbox-runtime'

const workspace = process.argv[2]

await SandboxManager.initialize({
  network: { allowedDomains: [], deniedDomains: [] },
  filesystem: { denyRead: ['/root', '/home'], allowWrite: [workspace], denyWrite: [] },
})

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** From the decision to run a command to the end of all its output. */
async function run({ bare, argv }) {
  const began = performance.now()
  const command = bare ? argv : ['/bin/sh', '-c', await SandboxManager.wrapWithSandbox(argv.map(quoted).join(' '))]
  const child = spawn(command[0], command.slice(1), { cwd: workspace, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += data))
  const code = await new Promise((resolve) => child.once('close', resolve))
  SandboxManager.cleanupAfterCommand?.()
  return { ms: performance.now() - began, code, text: text.slice(-500) }
}

process.on('message', async (request) => {
  if (request === 'end') {
    await SandboxManager.reset()
    process.disconnect()
    process.exit(0)
  }
  process.send(await run(request).catch((error) => ({ ms: 0, code: -1, text: String(error) })))
})
process.send({ ready: true })
