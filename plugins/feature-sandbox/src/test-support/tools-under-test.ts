import type { JsonObject } from '@agent-service/sdk'
import { processTimers, sleep } from '@agent-service/sdk/async'
import { chatParts } from '@agent-service/sdk/contracts/chat-part'
import type { Tool, ToolContext, ToolProgress, ToolResult } from '@agent-service/sdk/contracts/tool'
import { tools } from '@agent-service/sdk/contracts/tool'
import { type Clock, clockService } from '@agent-service/sdk/services/clock'
import { callTool } from '@agent-service/sdk/testing'
import { type SandboxUnderTest, startSandbox, testPrincipal } from './sandbox-under-test.js'

/** A result as a test looks at it. */
export interface SeenResult {
  readonly text: string
  readonly isError: boolean
  /** The paths of the files that it names. */
  readonly files: readonly string[]
}

/** The tools of the plugin, with a driver that runs real processes. */
export interface ToolsUnderTest extends SandboxUnderTest {
  readonly workspace: string
  tool(name: string): Tool
  call(name: string, input: JsonObject, more?: Partial<ToolContext>): Promise<SeenResult>
  /** What calls have reported while they ran. */
  readonly progress: ToolProgress[]
  output(): string
  deleteChat(chatId: string): Promise<void>
}

/** The time as it is: programs do not wait for a test's. */
export const processClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: processTimers.after,
  wait: (milliseconds, { signal }) => sleep(milliseconds, { signal }),
}

export async function startTools(options: Parameters<typeof startSandbox>[0] = {}): Promise<ToolsUnderTest> {
  const under = await startSandbox({ ...options, services: [[clockService, processClock], ...(options.services ?? [])] })
  const progress: ToolProgress[] = []
  let output = ''
  let calls = 0
  const tool = (name: string): Tool => {
    const found = under.test.contributed(tools).find((each) => each.name === name)
    if (found === undefined) throw new Error(`There is no tool “${name}”.`)
    return found
  }
  const contextOf = (more: Partial<ToolContext>): ToolContext => {
    calls += 1
    const { userId, userHandle, id, workspace } = testPrincipal
    return {
      ...{
        callId: `call-${calls}`,
        runId: 'run-1',
        chatId: 'chat-1',
        agentId: id,
        agentHandle: 'assistant',
        userId,
        userHandle,
        workspace,
      },
      ...{ depth: 0, timezone: 'UTC', signal: new AbortController().signal },
      progress: async (update) => void progress.push(update),
      output: async (text) => {
        output += text
      },
      ...more,
    }
  }
  return {
    ...under,
    workspace: `${under.folder}/ada/workspaces/assistant`,
    tool,
    progress,
    output: () => output,
    call: async (name, input, more = {}) => seen(await callTool(tool(name), input, contextOf(more))),
    async deleteChat(chatId) {
      for (const part of under.test.contributed(chatParts))
        await part.erase({ chatId, userId: testPrincipal.userId }, { signal: new AbortController().signal })
    },
  }
}

const seen = ({ content, isError = false, files = [] }: ToolResult): SeenResult => ({
  text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
  isError,
  files: files.map(({ path }) => path),
})

/** The id in the result of a call that started something in the background. */
export function processIn({ text }: SeenResult): string {
  const id = /process (\S+?)\. /.exec(text)?.[1]
  if (id === undefined) throw new Error(`No process was started: ${text}`)
  return id
}
