import type { JsonObject } from '@agent-service/sdk'
import { classifyAddress } from '@agent-service/sdk/addresses'
import { processTimers, sleep } from '@agent-service/sdk/async'
import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import { type AgentCredentials, agentCredentialsService } from '@agent-service/sdk/services/agent-credentials'
import { type Clock, clockService } from '@agent-service/sdk/services/clock'
import { createTestContext, type PluginTestContext } from '@agent-service/sdk/testing'
import { createBrowserPlugin } from '../compose/plugin-setup.js'
import type { GuardOptions } from '../network/page-guard.js'

/** The time as it is: browsers do not wait for a test’s. */
const processClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: processTimers.after,
  wait: (milliseconds, { signal }) => sleep(milliseconds, { signal }),
}

/** A result as a test looks at it. */
export interface SeenResult {
  readonly text: string
  readonly isError: boolean
  readonly images: readonly string[]
  /** The ref of the first line that has this text. */
  ref(of: string): string
}

export interface BrowserUnderTest {
  readonly test: PluginTestContext
  call(tool: string, input?: JsonObject, context?: Partial<ToolContext>): Promise<SeenResult>
  stop(): Promise<void>
}

/** One port of the loopback counts as public; everything else there stays closed. */
export const guardFor = (ports: () => readonly number[], names: Readonly<Record<string, readonly string[]>> = {}): GuardOptions => ({
  resolve: async (host) => names[host] ?? (host.endsWith('.test') ? ['127.0.0.1'] : []),
  isPublic: (address) => address === '127.0.0.1' || classifyAddress(address) === 'public',
  isOpen: (address, port) => address !== '127.0.0.1' || ports().includes(port),
})

/** The plugin with a real browser, and fakes of the services. */
export async function startPlugin(options: {
  readonly url: string
  readonly guard: GuardOptions
  readonly credentials?: AgentCredentials
  readonly config?: JsonObject
}): Promise<BrowserUnderTest> {
  const { url, guard, credentials, config = {} } = options
  const test = createTestContext(createBrowserPlugin({ guard }), {
    config: { browser: { ws_url: url, ...config } },
    services: [[clockService, processClock], ...(credentials === undefined ? [] : [[agentCredentialsService, credentials] as const])],
  })
  await test.setup()
  let calls = 0
  return {
    test,
    async call(tool, input = {}, context = {}) {
      calls += 1
      const result = await test.call(`browser_${tool}`, input, {
        ...{ callId: `call-${calls}`, runId: 'run-1', chatId: 'chat-1', agentId: 'agent-1', agentHandle: 'assistant' },
        ...{ userId: 'user-1', userHandle: 'ada', workspace: 'assistant', signal: new AbortController().signal },
        ...context,
      })
      const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      return {
        text,
        isError: result.isError === true,
        images: result.content.flatMap((part) => (part.type === 'image' ? [part.data] : [])),
        ref(of) {
          const line = text.split('\n').find((each) => each.includes(of) && each.includes('[ref='))
          const ref = /\[ref=(e\d+)\]/.exec(line ?? '')?.[1]
          if (ref === undefined) throw new Error(`No element “${of}” in:\n${text}`)
          return ref
        },
      }
    },
    async stop() {
      await test.announceStop()
      await test.dispose()
    },
  }
}
