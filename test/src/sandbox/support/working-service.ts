import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '@agent-service/sdk/testing'
import { type Api, type EventStream, type StreamedEvent, signUp } from '../../support/api.js'
import { writeConfiguration } from '../../support/configuration.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../../support/service-process.js'
import { startWorkingUpstream, type Turn } from './working-upstream.js'

/** The service as a process, with a person whose agent does what plans say. */
export interface WorkingService {
  /** What the service says: whether code runs here. */
  readonly confines: boolean
  readonly ada: Api
  readonly agentId: string
  /** The folder of the service, with its data. */
  readonly folder: string
  /** The id of its process. */
  pid(): number
  /** Every line of its log so far, also from before it was restarted. */
  log(): readonly string[]
  /** What the model was sent, as it came. */
  readonly received: readonly string[]
  /** The workspace of the agent, on the host. */
  readonly workspace: string
  post(plan: string): Promise<{ readonly run: string; readonly chat: string; readonly stream: EventStream }>
  /** Has a plan carried out, and gives what the tools have said. */
  resultsOf(plan: string): Promise<readonly string[]>
  /** What the tools have said so far. */
  seen(plan: string): readonly string[]
  kill(): Promise<void>
  restart(): Promise<void>
  close(): Promise<void>
}

/** What the log says about this machine once the driver is ready. */
async function confinesHere(log: () => readonly string[]): Promise<boolean> {
  const line = await eventually(() => log().find((each) => /"(The sandbox is ready|No code of agents can run)/.test(each)), { what: log })
  return line.includes('"The sandbox is ready')
}

const ends = ['run.completed', 'run.failed', 'run.cancelled']
const isOf =
  (run: string) =>
  ({ data }: StreamedEvent): boolean =>
    data['run_id'] === run

/** `plans`: by the message of the person, what the model does after these results. `environment`: more variables. */
export async function startWorkingService(
  plans: Readonly<Record<string, (results: readonly string[]) => Turn>>,
  tools: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<WorkingService> {
  const upstream = await startWorkingUpstream(plans)
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-work-'))
  await writeConfiguration(folder, upstream.url)
  let service: ServiceProcess
  let ada: Api
  const earlier: string[] = []
  const start = async (): Promise<void> => {
    service = await startServiceProcess({ folder, environment: { UPSTREAM_KEY: 'upstream-key-0123456789', ...environment } })
    ada = await signUp(service.url, 'ada')
  }
  await start()
  const request = (method: string, place: string, body?: unknown) => ada.request(method, place, body)
  const [agent] = (await request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
  await request('PATCH', `/api/agents/${agent?.id}`, { tools, approval: { '*': 'never' } })
  const confines = await confinesHere(() => service.log)

  const post: WorkingService['post'] = async (content) => {
    const stream = await ada.stream()
    const chat = String((await request('POST', '/api/chats', {})).body['id'])
    const { body } = await request('POST', `/api/chats/${chat}/messages`, { content })
    return { run: (body['run'] as { readonly id: string }).id, chat, stream }
  }
  return {
    ...{ confines, folder, agentId: agent?.id ?? '', received: upstream.received },
    pid: () => service.child.pid ?? 0,
    log: () => [...earlier, ...service.log],
    get ada() {
      return ada
    },
    workspace: path.join(folder, 'data/users/ada/workspaces/assistant'),
    post,
    async resultsOf(plan) {
      const { run, stream } = await post(plan)
      // Each step has the time that a stream waits for an event.
      let last = await stream.until(isOf(run))
      while (!ends.includes(last.name)) last = await stream.next(stream.events.indexOf(last) + 1, isOf(run))
      stream.close()
      if (last.name !== 'run.completed') throw new Error(`The run ended with ${last.name}: ${JSON.stringify(last.data)}`)
      return upstream.resultsOf(plan)
    },
    seen: (plan) => upstream.resultsOf(plan),
    kill: () => service.kill(),
    restart() {
      earlier.push(...service.log)
      return start()
    },
    async close() {
      await service.kill()
      await upstream.close()
      await removeFolder(folder)
    },
  }
}
