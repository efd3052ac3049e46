import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { families, wireOf } from '../../inference/support/wires/index.js'
import { type Api, signUp } from '../../support/api.js'
import type { Protocol } from './field-table.js'
import { type RecordingUpstream, startRecordingUpstream, type WireBody } from './recording-upstream.js'

/** An `error` object with its status. */
export interface Refusal {
  readonly status: number
  readonly param: string | null
  readonly code: string
  readonly message: string
}

/** The real service with a group for each protocol of providers, named like the protocol. */
export interface FieldsKernel {
  readonly kernel: TestKernel
  readonly person: Api
  readonly upstream: RecordingUpstream
  /** The answer to a request with these members over “Hi”; as text, since it may be a stream. */
  ask(
    protocol: Protocol,
    group: string,
    members: object,
  ): Promise<{
    readonly status: number
    readonly text: string /** What the answer names as ignored. */
    readonly ignored: readonly string[]
  }>
  /** What reached the upstream. @throws if the request was refused, or nothing reached it. */
  wire(protocol: Protocol, group: string, members: object): Promise<WireBody>
  /** The error of a request. @throws if it was answered, or something reached the upstream. */
  refusal(protocol: Protocol, group: string, members: object): Promise<Refusal>
  close(): Promise<void>
}

/** Further groups by name, in the form of the section `models`; connections are named like their protocol. */
export async function startFieldsKernel(models: Readonly<Record<string, object>> = {}): Promise<FieldsKernel> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-fields-'))
  const upstream = await startRecordingUpstream()
  await writeFile(path.join(folder, 'config.json'), JSON.stringify(configurationOf(upstream.url, models)))
  const kernel = await createTestKernel({ folder, environment: { SERVICE_CONFIG: path.join(folder, 'config.json') } })
  const person = await signUp(kernel.url, 'ada')
  const ask = async (protocol: Protocol, group: string, members: object) => {
    const plain = protocol === 'chat' ? { messages: [{ role: 'user', content: 'Hi' }] } : { input: [{ role: 'user', content: 'Hi' }] }
    const answer = await fetch(`${kernel.url}/v1/${protocol === 'chat' ? 'chat/completions' : 'responses'}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: group, ...plain, ...members }),
    })
    const ignored = answer.headers.get('x-ignored-parameters')?.split(', ') ?? []
    return { status: answer.status, text: await answer.text(), ignored }
  }
  return {
    kernel,
    person,
    upstream,
    ask,
    async wire(protocol, group, members) {
      const before = upstream.bodies.length
      const { status, text } = await ask(protocol, group, members)
      const body = upstream.bodies[before]
      if (status !== 200 || !body) throw new Error(`${JSON.stringify(members)} was answered with ${status}: ${text}`)
      return body
    },
    async refusal(protocol, group, members) {
      const before = upstream.bodies.length
      const { status, text } = await ask(protocol, group, members)
      if (status === 200 || upstream.bodies.length > before) throw new Error(`${JSON.stringify(members)} was not refused.`)
      const { error } = JSON.parse(text) as { readonly error: Omit<Refusal, 'status'> }
      return { status, ...error }
    },
    async close() {
      await kernel.stop()
      await upstream.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configurationOf(upstream: string, models: Readonly<Record<string, object>>): object {
  const wires = families.map(wireOf)
  const retry = { max_retries: 0, initial_backoff_ms: 10, backoff_multiplier: 1, max_backoff_ms: 100 }
  const connection = ({ adapter }: { readonly adapter: string }) => ({
    provider: 'house',
    adapter,
    base_url: `${upstream}/v1`,
    api_key: 'key-of-nobody',
  })
  const own = wires.map(({ protocol }) => [protocol, { provider: protocol, model: 'model-1', api: protocol, retry }])
  return {
    providers: Object.fromEntries(wires.map((wire) => [wire.protocol, connection(wire)])),
    models: { ...Object.fromEntries(own), ...models },
  }
}
