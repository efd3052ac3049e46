import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Api, type EventStream, signUp } from '../../support/api.js'
import { writeConfiguration } from '../../support/configuration.js'
import scriptedPlugin from './scripted-plugin.js'
import { writeTestPlugin } from './write-test-plugin.js'

const toolNames = ['get_time', 'tool__read', 'tool__idempotent', 'tool__checkable', 'tool__unsafe']

/**
 * A real kernel with the scripted model, which can be stopped and started again on the same folder.
 */
export interface AgentsKernel {
  readonly kernel: TestKernel
  restart(between?: () => Promise<void> | void): Promise<void>
  /**
   * Signs up, or in; the agent of the user’s chats may call every scripted tool, has no skills, and asks for no
   * approval.
   */
  person(username: string): Promise<Person>
  close(): Promise<void>
}

export interface Person extends Api {
  readonly agentId: string
  newChat(): Promise<string>
  /** Posts a message and gives the id of its run. */
  post(chatId: string, content: string): Promise<string>
  messages(chatId: string): Promise<readonly SeenMessage[]>
}

export interface SeenMessage {
  readonly id: string
  readonly role: string
  readonly status: string
  readonly event_id?: string
  readonly content: readonly { readonly type: string; readonly text?: string; readonly [name: string]: unknown }[]
}

export async function startAgentsKernel(
  options: {
    readonly environment?: Readonly<Record<string, string>>
    readonly maxRetries?: number
    /** Whether models make the titles of chats. Default: no. */
    readonly titles?: boolean
    /** How many lines of the log are kept. Default: all. */
    readonly maxLogLines?: number
    /** Of all its lives. Default: the system's. */
    readonly clock?: Clock
    /** How long calls in flight are waited for when it stops, in milliseconds. Default: the service's. */
    readonly drainMs?: number
    /** Folders of further plugins. */
    readonly plugins?: readonly string[]
    /** The folder of the built-in plugins. Default: those of the product. */
    readonly builtInFolder?: string
  } = {},
): Promise<AgentsKernel> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-agents-'))
  await writeConfiguration(folder, 'http://127.0.0.1:9/v1', { maxRetries: options.maxRetries ?? 0 })
  const plugin = await writeTestPlugin(path.join(folder, 'plugin'), scriptedPlugin, new URL('./scripted-plugin.js', import.meta.url))
  const start = () =>
    createTestKernel({
      folder,
      plugins: [plugin, ...(options.plugins ?? [])],
      ...(options.maxLogLines !== undefined && { maxLogLines: options.maxLogLines }),
      ...(options.builtInFolder !== undefined && { builtInFolder: options.builtInFolder }),
      ...(options.clock !== undefined && { clock: options.clock }),
      ...(options.drainMs !== undefined && { pluginLimits: { drainMs: options.drainMs } }),
      environment: { SERVICE_PLUGINS_DISABLED: '["provider-openai"]', UPSTREAM_KEY: 'key', ...options.environment },
    })
  let kernel = await start()
  return {
    get kernel() {
      return kernel
    },
    async restart(between) {
      await kernel.stop()
      await between?.()
      kernel = await start()
    },
    person: async (username) => personOf(await signUp(kernel.url, username), options.titles ?? false),
    async close() {
      try {
        await kernel.stop()
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

async function personOf(api: Api, makesTitles: boolean): Promise<Person> {
  const agents = (await api.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
  const agentId = agents[0]?.id ?? ''
  await api.request('PATCH', `/api/agents/${agentId}`, {
    ...{ tools: toolNames, skills: [], approval: { '*': 'never' } },
    titles: { enabled: makesTitles },
  })
  return {
    ...api,
    agentId,
    newChat: async () => String((await api.request('POST', '/api/chats', {})).body['id']),
    async post(chatId, content) {
      const { status, body } = await api.request('POST', `/api/chats/${chatId}/messages`, { content })
      if (status !== 202) throw new Error(`The post answered ${status}: ${JSON.stringify(body)}`)
      return (body['run'] as { readonly id: string }).id
    },
    messages: async (chatId) => (await api.request('GET', `/api/chats/${chatId}/messages`)).body['items'] as readonly SeenMessage[],
  }
}

/** Resolves with the run's last event. */
export const endOf = (stream: EventStream, runId: string) =>
  stream.until((event) => event.data['run_id'] === runId && ['run.completed', 'run.failed', 'run.cancelled'].includes(event.name))

export const textOf = (message: Pick<SeenMessage, 'content'> | undefined): string =>
  (message?.content ?? []).map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('')

/** The compiled plugin, seen from a folder of its own. */
