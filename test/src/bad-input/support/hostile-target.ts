import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel, type TestKernelOptions } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, confirm, signUp } from '../../support/api.js'
import { writeConfiguration } from '../../support/configuration.js'
import { removeFolder } from '../../support/service-process.js'
import { setUpCodeOf } from '../../support/set-up-code.js'
import { expectProblem, type ProblemBody } from './expect-problem.js'
import { type RawAnswer, type RawOptions, type RawRequest, requestBytes, sendBytes } from './raw-http.js'

/** The whole service, to be mistreated. No model can be reached from it. */
export interface HostileTarget {
  readonly kernel: TestKernel
  readonly url: string
  /** An administrator, confirmed for five minutes, and a user with things of their own. */
  readonly admin: Api
  readonly ada: Api
  readonly own: OwnResources
  send(target: string, request?: RawRequest, options?: RawOptions): Promise<RawAnswer>
  /** Sends as the user and expects a problem. */
  refuses(target: string, request: RawRequest, status: number, code: string): Promise<ProblemBody>
  /** Everything that can be read of the two, to be compared before and after. */
  state(): Promise<unknown>
  close(): Promise<void>
}

export interface OwnResources {
  readonly agent_id: string
  readonly chat_id: string
  readonly run_id: string
  readonly space_id: string
}

export async function startHostileTarget(options: Pick<TestKernelOptions, 'httpLimits' | 'environment'> = {}): Promise<HostileTarget> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-hostile-'))
  await writeConfiguration(folder, 'http://127.0.0.1:9/v1')
  const kernel = await createTestKernel({
    ...options,
    folder,
    environment: { UPSTREAM_KEY: 'upstream-key-0123456789', ...options.environment },
  })
  const { url } = kernel
  const close = async (): Promise<void> => {
    try {
      await kernel.stop()
    } finally {
      await removeFolder(folder)
    }
  }
  const people = await makePeople(kernel).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const { admin, ada, own } = people
  const send = (target: string, request?: RawRequest, raw?: RawOptions) => sendBytes(url, requestBytes(target, request), raw)
  return {
    kernel,
    url,
    admin,
    ada,
    own,
    send,
    async refuses(target, request, status, code) {
      const what = `${request.method ?? 'GET'} ${target}`
      const answer = await send(target, { token: ada.token, ...request })
      const problem = expectProblem(answer, what)
      expect([problem.status, problem.code], `${what}: ${problem.detail}`).to.deep.equal([status, code])
      return problem
    },
    state: async () => ({
      users: (await admin.request('GET', '/api/admin/users')).body['items'],
      admin: await everythingOf(admin),
      ada: await everythingOf(ada),
    }),
    close,
  }
}

async function makePeople(kernel: TestKernel): Promise<Pick<HostileTarget, 'admin' | 'ada' | 'own'>> {
  const { url } = kernel
  const admin = await signUp(url, 'admin', undefined, setUpCodeOf(kernel))
  await confirm(admin)
  const ada = await signUp(url, 'ada')
  return { admin, ada, own: await createResources(ada) }
}

/** An agent, a space, and a chat with one run that has ended. */
export async function createResources(person: Api): Promise<OwnResources> {
  const agents = (await person.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
  const chatId = String((await person.request('POST', '/api/chats', {})).body['id'])
  const stream = await person.stream()
  const { body } = await person.request('POST', `/api/chats/${chatId}/messages`, { content: 'Hello' })
  const runId = (body['run'] as { readonly id: string }).id
  await stream.until((event) => event.name === 'run.failed' && event.data['run_id'] === runId)
  stream.close()
  const space = (await person.request('POST', '/api/spaces', { name: 'Home' })).body
  return { agent_id: agents[0]?.id ?? '', chat_id: chatId, run_id: runId, space_id: String(space['id']) }
}

/** What can be read of a person's agents, spaces and chats. */
export async function everythingOf(person: Api): Promise<unknown> {
  const list = async (path: string) =>
    (await person.request('GET', `${path}?limit=200`)).body['items'] as readonly { readonly id: string }[]
  const chats = await list('/api/chats')
  const messages = await Promise.all(chats.map(({ id }) => list(`/api/chats/${id}/messages`)))
  return { agents: await list('/api/agents'), spaces: await list('/api/spaces'), chats, messages }
}
