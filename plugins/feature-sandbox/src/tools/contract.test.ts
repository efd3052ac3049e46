import type { JsonObject } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { describeTool } from '@agent-service/sdk/testing'
import { startTools, type ToolsUnderTest } from '../test-support/tools-under-test.js'

/** Examples of each tool; none of them leaves anything behind. */
const examples: Readonly<Record<string, readonly { readonly title: string; readonly input: JsonObject; readonly isError?: boolean }[]>> = {
  shell: [
    { title: 'a command', input: { command: 'echo hello' } },
    { title: 'a plain command in a folder', input: { command: 'echo "hello, you"', directory: './' } },
    { title: 'a command that fails', input: { command: 'exit 2' }, isError: true },
  ],
  python: [{ title: 'code', input: { code: 'print(1)' } }],
  node: [{ title: 'code', input: { code: 'console.log(1)' } }],
  install_packages: [{ title: 'a missing file', input: { language: 'node', packages: ['./missing.tgz'] }, isError: true }],
  list_processes: [{ title: 'all', input: { all: true } }],
  read_process: [{ title: 'an unknown one', input: { id: 'unknown' }, isError: true }],
  write_process: [{ title: 'an unknown one', input: { id: 'unknown', text: 'x' }, isError: true }],
  stop_process: [{ title: 'an unknown one', input: { id: 'unknown' }, isError: true }],
}

describe('the tools of the sandbox', function () {
  this.timeout(30_000)
  let under: ToolsUnderTest

  before(async () => {
    under = await startTools()
  })
  after(() => under.stop())

  for (const [name, given] of Object.entries(examples))
    describeTool({
      name,
      create: (): Tool => under.tool(name),
      examples: given,
      context: { workspace: 'assistant', agentHandle: 'assistant' },
      abortLimitMs: 10_000,
      secrets: [],
    })
})
