import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Run, RunEvent, Runs } from '@agent-service/sdk/services/runs'
import { type AgentsKernel, type Person, startAgentsKernel } from './agents-kernel.js'
import runsPlugin, { runsOfPlugin } from './runs-plugin.js'
import { writeTestPlugin } from './write-test-plugin.js'

/** A kernel with the scripted model and a plugin that starts runs. */
export interface RunsKernel extends AgentsKernel {
  /** Of the kernel as it is now. */
  readonly runs: Runs
}

/** Somebody whose id is known. */
export interface RunsPerson extends Person {
  readonly id: string
}

export async function startRunsKernel(options: Parameters<typeof startAgentsKernel>[0] = {}): Promise<RunsKernel> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-runs-'))
  const plugin = await writeTestPlugin(path.join(folder, 'runs'), runsPlugin, new URL('./runs-plugin.js', import.meta.url))
  const agents = await startAgentsKernel({ ...options, plugins: [plugin] })
  return {
    get kernel() {
      return agents.kernel
    },
    get runs() {
      return runsOfPlugin()
    },
    restart: agents.restart,
    person: agents.person,
    async close() {
      await agents.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Signs up, or in. */
export async function personWithId(kernel: RunsKernel, username: string): Promise<RunsPerson> {
  const person = await kernel.person(username)
  return { ...person, id: String((await person.request('GET', '/api/auth/me')).body['id']) }
}

/** All events of a run up to its end, or up to the first that `until` accepts. */
export async function eventsOf(
  runs: Runs,
  request: Parameters<Runs['watch']>[0],
  until: (event: RunEvent) => boolean = () => false,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of runs.watch(request, { signal: AbortSignal.timeout(20_000) })) {
    events.push(event)
    if (until(event)) break
  }
  return events
}

/** The run once it has ended. */
export async function finishedRun(runs: Runs, userId: string, runId: string): Promise<{ readonly run: Run; readonly text: string }> {
  const last = (await eventsOf(runs, { userId, runId })).at(-1)
  if (last?.type !== 'finished') throw new Error(`The run did not end: ${JSON.stringify(last)}`)
  return last
}

/** What a listener who begins with nothing knows of the text after these events. */
export function textAfter(events: readonly RunEvent[]): string {
  let text = ''
  for (const event of events) {
    if (event.type === 'state' || event.type === 'void') text = event.text
    if (event.type === 'text.delta') text = text.slice(0, event.offset) + event.text
  }
  return text
}

/** The cursors of the stored ones among them. */
export const cursorsOf = (events: readonly RunEvent[]): readonly string[] =>
  events.flatMap((event) => ('cursor' in event ? [event.cursor] : []))
