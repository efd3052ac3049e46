import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type AgentsKernel, endOf, type Person, type SeenMessage, startAgentsKernel } from '../../agents/support/agents-kernel.js'
import { writeTestPlugin } from '../../agents/support/write-test-plugin.js'
import type { EventStream } from '../../support/api.js'
import pointsPlugin from './points-plugin.js'

/** A kernel with the scripted model and the plugin of the points. */
export interface PointsKernel {
  readonly agents: AgentsKernel
  /** Lines of the log with this message. */
  lines(message: string): readonly Readonly<Record<string, unknown>>[]
  close(): Promise<void>
}

export async function startPointsKernel(environment: Readonly<Record<string, string>> = {}): Promise<PointsKernel> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-points-'))
  const plugin = await writeTestPlugin(path.join(folder, 'plugin'), pointsPlugin, new URL('./points-plugin.js', import.meta.url))
  const agents = await startAgentsKernel({ plugins: [plugin], environment })
  return {
    agents,
    lines: (message) => agents.kernel.log.filter((line) => line['message'] === message || line['msg'] === message),
    async close() {
      try {
        await agents.close()
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** A person who asks and waits for the end. */
export interface Asker {
  readonly person: Person
  readonly stream: EventStream
  /** Asks in a chat, a new one unless one is given, and gives what became of it. */
  ask(content: string, chatId?: string): Promise<Asked>
  /** Changes the agent. */
  give(change: Record<string, unknown>): Promise<void>
  warnings(): Promise<readonly { readonly path: string; readonly message: string }[]>
}

export interface Asked {
  readonly chatId: string
  readonly runId: string
  /** The name of the event that ended the run, and its data. */
  readonly end: string
  readonly failure: Readonly<Record<string, unknown>> | undefined
  readonly messages: readonly SeenMessage[]
}

export async function askerOf(agents: AgentsKernel, username: string): Promise<Asker> {
  const person = await agents.person(username)
  const stream = await person.stream()
  return {
    person,
    stream,
    async ask(content, given) {
      const chatId = given ?? (await person.newChat())
      const runId = await person.post(chatId, content)
      const { name, data } = await endOf(stream, runId)
      const failure = data['failure'] as Readonly<Record<string, unknown>> | undefined
      return { chatId, runId, end: name, failure, messages: await person.messages(chatId) }
    },
    async give(change) {
      const { status, body } = await person.request('PATCH', `/api/agents/${person.agentId}`, change)
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
    },
    async warnings() {
      const { body } = await person.request('GET', `/api/agents/${person.agentId}`)
      return body['warnings'] as readonly { readonly path: string; readonly message: string }[]
    },
  }
}
