import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { type Replay, type ReplayServer, startReplayServer } from '@agent-service/sdk/testing'
import { type CountingTools, writeCountingTools } from '../../agents/support/counting-tools.js'
import { type Api, type EventStream, type StreamedEvent, signUp } from '../../support/api.js'
import { good, limits } from './faults.js'
import { calledTool, type FamilyWire } from './wires/family-wire.js'
import { nextFamily, wireOf } from './wires/index.js'

/** One model group whose first model is scripted. */
export interface MatrixCase {
  /** Name of the group, and of the connection that fails: 2 to 32 characters. */
  readonly name: string
  readonly family: string
  readonly retries: number
  /** The responses of the first model's calls; the last one repeats. */
  replays(wire: FamilyWire): readonly Replay[]
  /** Whether it has a fallback of the next family. */
  readonly fallback: boolean
}

/** One stored record of a call. */
export interface SeenCall {
  readonly provider: string
  readonly protocol: string
  readonly fallback: number
  readonly retries: number
  readonly outcome: string
  readonly failure: string | null
  readonly in_one_piece: boolean
}

/** The outcome of one message to an agent. */
export interface Conversation {
  readonly chatId: string
  /** Every event of the chat. */
  readonly events: readonly StreamedEvent[]
  /** The one that ended the run. */
  readonly end: StreamedEvent
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  /** Oldest first. */
  readonly calls: readonly SeenCall[]
  /** How many requests reached the first model and its fallback. */
  readonly requests: { readonly first: number; readonly spare: number }
  /** From the post to the end of the run, in milliseconds. */
  readonly tookMs: number
}

export interface MatrixKernel {
  readonly kernel: TestKernel
  readonly person: Api
  readonly tools: CountingTools
  readonly upstream: ReplayServer
  /**
   * Sends a message to an agent that uses the group of a case, and waits for the end of the run.
   */
  ask(name: string): Promise<Conversation>
  close(): Promise<void>
}

const endings: readonly string[] = ['run.completed', 'run.failed', 'run.cancelled']
const first = (name: string): string => `/first/${name}/`
const spare = (name: string): string => `/spare/${name}/`
/** Titles have a model of their own, so that the others are asked for answers alone. */
const titles = '/titles/'

/** Starts the real service with one group per case, all with one upstream on loopback. */
export async function startMatrixKernel(
  cases: readonly MatrixCase[],
  environment: Readonly<Record<string, string>> = {},
): Promise<MatrixKernel> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-matrix-'))
  const counts = new Map<string, number>()
  const upstream = await startReplayServer(({ url }) => {
    if (url.includes(titles)) return good(wireOf('completions'))
    const known = cases.find(({ name }) => url.includes(first(name)) || url.includes(spare(name)))
    if (!known) return { status: 404, pieces: [] }
    if (url.includes(spare(known.name))) return good(wireOf(nextFamily(known.family)))
    const replays = known.replays(wireOf(known.family))
    const count = counts.get(known.name) ?? 0
    counts.set(known.name, count + 1)
    return replays[Math.min(count, replays.length - 1)] ?? { status: 404, pieces: [] }
  })
  const tools = await writeCountingTools(folder)
  await writeFile(path.join(folder, 'config.json'), JSON.stringify(configurationOf(cases, upstream.baseUrl)))
  const kernel = await createTestKernel({
    folder,
    plugins: [tools.folder],
    environment: {
      SERVICE_CONFIG: path.join(folder, 'config.json'),
      SERVICE_INFERENCE_TIMEOUTS__FIRST_TOKEN_SECS: String(limits.firstToken),
      SERVICE_INFERENCE_TIMEOUTS__IDLE_SECS: String(limits.idle),
      SERVICE_INFERENCE_TIMEOUTS__TOTAL_SECS: String(limits.total),
      ...environment,
    },
  })
  const person = await signUp(kernel.url, 'ada')
  const stream = await person.stream()
  return {
    kernel,
    person,
    tools,
    upstream,
    ask: (name) => ask(name, { person, stream, upstream }),
    async close() {
      stream.close()
      await kernel.stop()
      await upstream.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function ask(
  name: string,
  { person, stream, upstream }: { readonly person: Api; readonly stream: EventStream; readonly upstream: ReplayServer },
): Promise<Conversation> {
  const created = await person.request('POST', '/api/agents', {
    handle: name,
    name,
    instructions: 'Be brief.',
    model_group: name,
    tools: [calledTool.name],
    approval: { '*': 'never' },
  })
  if (created.status !== 201) throw new Error(`Creating the agent responded with ${created.status}: ${JSON.stringify(created.body)}`)
  const chatId = String((await person.request('POST', '/api/chats', { agent_id: created.body['id'] })).body['id'])
  const began = performance.now()
  const posted = await person.request('POST', `/api/chats/${chatId}/messages`, { content: 'Hello' })
  const runId = (posted.body['run'] as { readonly id: string }).id
  const end = await stream.until(({ name: event, data }) => data['run_id'] === runId && endings.includes(event))
  const tookMs = performance.now() - began
  const items = async (url: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    (await person.request('GET', url)).body['items'] as readonly Readonly<Record<string, unknown>>[]
  const calls = (await items('/api/usage/calls?limit=200')).filter((call) => call['chat_id'] === chatId && call['purpose'] !== 'title')
  const seen = (part: string): number => upstream.seen.filter(({ url }) => url.includes(part)).length
  return {
    chatId,
    tookMs,
    end,
    events: stream.events.filter(({ data }) => data['chat_id'] === chatId),
    messages: await items(`/api/chats/${chatId}/messages`),
    calls: [...calls].sort((one, other) => String(one['id']).localeCompare(String(other['id']))) as unknown as readonly SeenCall[],
    requests: { first: seen(first(name)), spare: seen(spare(name)) },
  }
}

function configurationOf(cases: readonly MatrixCase[], upstream: string): unknown {
  const connection = (family: string, part: string) => ({
    provider: 'house',
    adapter: wireOf(family).adapter,
    base_url: `${upstream}${part}`.replace(/\/$/, ''),
    api_key: 'key-of-nobody',
  })
  const target = (provider: string, family: string) => ({ provider, model: 'model-1', api: wireOf(family).protocol })
  const providers = cases.flatMap(({ name, family, fallback }) => [
    [name, connection(family, first(name))],
    ...(fallback ? [[`${name}-spare`, connection(nextFamily(family), spare(name))]] : []),
  ])
  const models = cases.map(({ name, family, retries, fallback }) => [
    name,
    {
      ...target(name, family),
      fallbacks: fallback ? [target(`${name}-spare`, nextFamily(family))] : [],
      retry: { max_retries: retries, initial_backoff_ms: 10, backoff_multiplier: 1, max_backoff_ms: 1_500 },
    },
  ])
  return {
    providers: { ...Object.fromEntries(providers), titles: connection('completions', titles) },
    models: { ...Object.fromEntries(models), title: target('titles', 'completions') },
  }
}
