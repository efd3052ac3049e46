import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import type { JsonObject, Plugin } from '@agent-service/sdk'
import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Api, type EventStream, signUp } from '../../support/api.js'
import { writeConfiguration } from '../../support/configuration.js'
import scriptedPlugin, { calls, resultsIn, says, setScript } from './scripted-plugin.js'
import { writeTestPlugin } from './write-test-plugin.js'

type Json = Record<string, unknown>

/** What an approval is in an answer and in events. */
export interface SeenApproval extends Json {
  readonly call_id: string
  readonly run_id: string
  readonly status: string
}

/** A person whose agent asks them. */
export interface AskedPerson extends Api {
  readonly agentId: string
  /** Begins a run in a new chat. */
  begin(content?: string): Promise<{ readonly chatId: string; readonly runId: string }>
  answer(asked: SeenApproval, decision: string, note?: string): Promise<{ readonly status: number; readonly body: Json }>
  /** What waits for an answer in a chat. */
  pending(chatId?: string): Promise<readonly SeenApproval[]>
  run(runId: string): Promise<Json>
}

/** A real kernel with the scripted model and tools, and a clock where a test has one. */
export interface AskingKernel {
  readonly kernel: TestKernel
  restart(options?: { readonly clock?: Clock; readonly between?: () => void }): Promise<void>
  /**
   * A person with an account, always in the same session; the agent of their chats gets these
   * members.
   */
  person(username: string, agent?: Json): Promise<AskedPerson>
  /** The same person at another device: a session of its own. */
  otherDevice(username: string): Promise<AskedPerson>
  close(): Promise<void>
}

export async function startAskingKernel(
  options: {
    readonly clock?: Clock
    /** Further plugins, whose code is a module of the tests, by the name of their folder. */
    readonly more?: Readonly<Record<string, { readonly plugin: Plugin; readonly module: URL }>>
  } = {},
): Promise<AskingKernel> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-asking-'))
  await writeConfiguration(folder, 'http://127.0.0.1:9/v1')
  const plugins = [await writeTestPlugin(path.join(folder, 'plugin'), scriptedPlugin, new URL('./scripted-plugin.js', import.meta.url))]
  for (const [name, { plugin, module }] of Object.entries(options.more ?? {}))
    plugins.push(await writeTestPlugin(path.join(folder, name), plugin, module))
  const start = (clock: Clock | undefined) =>
    createTestKernel({
      folder,
      plugins,
      environment: { SERVICE_PLUGINS_DISABLED: '["provider-openai"]', UPSTREAM_KEY: 'key' },
      ...(clock ? { clock } : {}),
    })
  let kernel = await start(options.clock)
  /** By username: signing in has a limit of attempts. */
  const sessions = new Map<string, Api>()
  const signIn = async (username: string): Promise<Api> => {
    const api = await signUp(kernel.url, username)
    sessions.set(username, api)
    return api
  }
  const withAgent = async (api: Api, agent: Json | undefined): Promise<AskedPerson> => {
    const agents = (await api.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
    const agentId = agents[0]?.id ?? ''
    if (agent) {
      const { status, body } = await api.request('PATCH', `/api/agents/${agentId}`, { skills: [], ...agent })
      if (status !== 200) throw new Error(`The agent could not be changed: ${JSON.stringify(body)}`)
    }
    return askedPerson(api, agentId)
  }
  return {
    get kernel() {
      return kernel
    },
    async restart({ clock, between } = {}) {
      await kernel.stop()
      sessions.clear()
      between?.()
      kernel = await start(clock ?? options.clock)
    },
    person: async (username, agent) => withAgent(sessions.get(username) ?? (await signIn(username)), agent),
    otherDevice: async (username) => withAgent(await signUp(kernel.url, username), undefined),
    async close() {
      try {
        await kernel.stop()
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

function askedPerson(api: Api, agentId: string): AskedPerson {
  return {
    ...api,
    agentId,
    async begin(content = 'Do it') {
      const chatId = String((await api.request('POST', '/api/chats', { agent_id: agentId })).body['id'])
      const { status, body } = await api.request('POST', `/api/chats/${chatId}/messages`, { content })
      if (status !== 202) throw new Error(`The post answered ${status}: ${JSON.stringify(body)}`)
      return { chatId, runId: (body['run'] as { readonly id: string }).id }
    },
    answer: ({ run_id, call_id }, decision, note) =>
      api.request('POST', `/api/runs/${run_id}/approvals/${call_id}`, { decision, ...(note === undefined ? {} : { note }) }),
    async pending(chatId) {
      const filter = chatId === undefined ? '' : `&chat_id=${chatId}`
      return (await api.request('GET', `/api/approvals?status=pending&limit=200${filter}`)).body['items'] as readonly SeenApproval[]
    },
    run: async (runId) => (await api.request('GET', `/api/runs/${runId}`)).body,
  }
}

/** Resolves with what is asked once so many questions of a run have been asked and it waits. */
export async function askedBy(stream: EventStream, runId: string, count = 1): Promise<readonly SeenApproval[]> {
  await stream.until(({ name, data }) => name === 'run.waiting' && data['run_id'] === runId)
  const asked = stream.events
    .filter(({ name, data }) => name === 'approval.requested' && data['run_id'] === runId)
    .map(({ data }) => data['approval'] as SeenApproval)
  if (asked.length !== count) throw new Error(`${asked.length} questions were asked instead of ${count}.`)
  return asked
}

/** The one question of a run. */
export async function askedOnce(stream: EventStream, runId: string): Promise<SeenApproval> {
  const [asked] = await askedBy(stream, runId)
  if (!asked) throw new Error('Nothing was asked.')
  return asked
}

/** A call that the scripted model makes. */
export interface ScriptedCall {
  readonly name: string
  readonly arguments?: JsonObject
}

/** An answer of the model that makes these calls. */
export async function* callsWith(...calls: readonly ScriptedCall[]): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  const content = calls.map((call, part) => ({
    type: 'tool_call' as const,
    call_id: `vendor-${part}`,
    name: call.name,
    arguments: call.arguments ?? {},
  }))
  const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
  yield { type: 'response.finished', content, stop_reason: 'tool_calls', usage }
}

const askedTools = ['tool__read', 'tool__unsafe', 'tool__idempotent', 'get_time', 'ask_user']
/** An agent's members for a test: every tool that asks, and when a person is asked. */
export const askingAgent = (approval: Readonly<Record<string, string>> = {}) => ({ tools: askedTools, approval })

/** A model that makes these calls once, and a count of what ran. */
export function scriptCalls(...names: readonly string[]) {
  const ran: string[] = []
  const callIds: string[] = []
  const made = setScript({
    answer: (request) => (resultsIn(request).length === 0 ? calls(...names) : says('Done.')),
    tool: async (name, _, { callId }) => {
      ran.push(name)
      callIds.push(callId)
      return { content: [{ type: 'text', text: `${name} did it` }] }
    },
  })
  return {
    ran,
    callIds,
    /** What the model read of its calls, in the last request. */
    read: () =>
      resultsIn(made.requests.at(-1) ?? noRequest()).map((result) =>
        result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
      ),
    roles: () => (made.requests.at(-1)?.messages ?? []).map(({ role }) => role),
  }
}

function noRequest(): never {
  throw new Error('The model has not been asked.')
}
