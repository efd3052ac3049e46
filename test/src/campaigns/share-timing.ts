import { randomBytes } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { createControlledClock, createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { type Api, signUp } from '../support/api.js'
import { createRandom, type Random } from '../support/random.js'
import { setUpCodeOf } from '../support/set-up-code.js'
import type { CampaignOptions } from './index.js'
import { cliffsDelta, medianOf } from './support/effect-size.js'

/** Requests at a time. */
const parallel = 16

/** Links that do not work, each for another reason. The first is what the others are compared with. */
const reasons = ['unknown', 'expired', 'revoked', 'malformed', 'gone', 'disabled'] as const
type Reason = (typeof reasons)[number]

/**
 * The effect that must not be exceeded: Cliff's delta, 0 for times that cannot be told apart, 1 if
 * one is always longer. It shrinks with the number of requests down to what chance alone makes.
 */
export const maxDelta = (count: number): number => 4.5 * Math.sqrt(2 / (3 * count))

export interface ShareTimingOutcome {
  /** By `<path> <reason>`: Cliff's delta to the unknown link. */
  readonly deltas: Readonly<Record<string, number>>
  /** The same of a link that works, as the proof that a difference would be seen. */
  readonly controlDelta: number
}

/**
 * Opens links that do not work for every reason, in random order, at `/s` and `/p`: 5,000 of each
 * at full length. The bytes have to be the same but for `X-Request-Id` and `Date`, and the times
 * alike up to {@link maxDelta}. @throws with the first difference.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<ShareTimingOutcome> {
  const count = full ? 5_000 : 100
  print(`SEED=${seed}, ${count} requests for each reason, effect size below ${maxDelta(count).toFixed(3)}`)
  const random = createRandom(seed)
  const clock = createControlledClock({ now: Date.now() })
  // Every request comes from another network, so that the limit of misses plays no part.
  const kernel = await createTestKernel({ clock, environment: { SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1' } })
  const agent = new Agent({ keepAlive: true, maxSockets: parallel })
  try {
    const { ids, live } = await makeLinks(kernel, clock, random)
    const deltas: Record<string, number> = {}
    let controlDelta = 0
    for (const path of ['/s/', '/p/']) {
      const ask = (id: string, address: string) => timed(`${kernel.url}${path}${id}`, address, agent)
      const times = await timesOf({ ids, count, random, ask })
      const unknown = times.get('unknown') ?? []
      for (const reason of reasons.slice(1)) {
        const delta = cliffsDelta(times.get(reason) ?? [], unknown)
        deltas[`${path} ${reason}`] = delta
        const shift = (medianOf(times.get(reason) ?? []) - medianOf(unknown)) * 1_000
        print(`${path} ${reason}: the same bytes, effect size ${delta.toFixed(3)}, median ${shift.toFixed(0)} µs apart`)
        if (Math.abs(delta) > maxDelta(count)) throw new Error(`${path}: ${reason} differs from unknown by ${delta.toFixed(3)}`)
      }
      const working: number[] = []
      for (let index = 0; index < 30; index += 1) working.push((await ask(live, '10.255.255.1')).milliseconds)
      controlDelta = cliffsDelta(working, unknown)
      print(`${path} a link that works: effect size ${controlDelta.toFixed(3)}`)
      if (Math.abs(controlDelta) < 0.5) throw new Error('The measurement does not tell a link that works from one that does not.')
    }
    return { deltas, controlDelta }
  } finally {
    agent.destroy()
    await kernel.stop()
  }
}

/** Links of each kind; of the malformed ones many forms. */
async function makeLinks(kernel: TestKernel, clock: { advance(milliseconds: number): Promise<void> }, random: Random) {
  const { url } = kernel
  const ada = await signUp(url, 'ada', 'a long enough password', setUpCodeOf(kernel))
  const bob = await signUp(url, 'bob')
  await put(ada, 'files/notes.txt')
  await put(bob, 'files/notes.txt')
  const several = async (person: Api, body: object): Promise<{ readonly id: string; readonly secret: string }[]> => {
    const made = []
    for (let index = 0; index < 20; index += 1) made.push(await share(person, body))
    return made
  }
  const revoked = await several(ada, { path: 'files/notes.txt' })
  for (const { id } of revoked) await ada.request('DELETE', `/api/shares/${id}`)
  await put(ada, 'files/gone.txt')
  const gone = await several(ada, { path: 'files/gone.txt' })
  await ada.request('DELETE', '/api/files/content?path=files/gone.txt')
  const disabled = await several(bob, { path: 'files/notes.txt' })
  await ada.request('PATCH', `/api/admin/users/${bob.userId}`, { disabled: true })
  const expired = await several(ada, { path: 'files/notes.txt', expires_in_secs: 60 })
  await clock.advance(60_000)
  const live = await share(ada, { path: 'files/notes.txt' })
  const secrets = (made: readonly { readonly secret: string }[]) => () => random.pick(made).secret
  const ids: Readonly<Record<Reason, () => string>> = {
    unknown: () => randomBytes(16).toString('base64url'),
    malformed: () => random.pick(['x', 'a'.repeat(21), 'a'.repeat(23), 'a'.repeat(1_500), 'a%20b', '%C3%A4', "';--", '.a', 'a+b==']),
    ...{ expired: secrets(expired), revoked: secrets(revoked), gone: secrets(gone), disabled: secrets(disabled) },
  }
  return { ids, live: live.secret }
}

async function put(person: Api, path: string): Promise<void> {
  const answer = await fetch(`${person.url}/api/files/content?path=${path}`, {
    ...{ method: 'PUT', body: 'Milk, bread, apples' },
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
  })
  if (!answer.ok) throw new Error(`The upload was answered with ${answer.status}.`)
}

async function share(person: Api, body: object): Promise<{ readonly id: string; readonly secret: string }> {
  const { status, body: made } = await person.request('POST', '/api/shares', body)
  if (status !== 201) throw new Error(`Sharing was answered with ${status}: ${String(made['detail'])}`)
  return { id: String(made['id']), secret: String(made['content_url']).split('/').at(-1) ?? '' }
}

/** Times in milliseconds by the reason. @throws if two answers differ in a byte. */
async function timesOf(options: {
  readonly ids: Readonly<Record<Reason, () => string>>
  readonly count: number
  readonly random: Random
  readonly ask: (id: string, address: string) => Promise<Timed>
}): Promise<ReadonlyMap<Reason, number[]>> {
  const { ids, count, random, ask } = options
  const order = shuffled(
    reasons.flatMap((reason) => Array.from({ length: count }, () => reason)),
    random,
  )
  const times = new Map<Reason, number[]>(reasons.map((reason) => [reason, []]))
  let expected: string | undefined
  // What is compiled and cached by the first requests counts for none.
  for (let index = 0; index < 50; index += 1) await ask(ids[random.pick(reasons)](), '10.254.0.1')
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < order.length; index = next++) {
      const reason = order[index] ?? 'unknown'
      const id = ids[reason]()
      const { milliseconds, bytes } = await ask(id, `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`)
      expected ??= bytes
      if (bytes !== expected) throw new Error(`${reason} (${id.slice(0, 40)}) has other bytes:\n${bytes}\n---\n${expected}`)
      times.get(reason)?.push(milliseconds)
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  return times
}

function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  const result = [...items]
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = random.between(0, index)
    ;[result[index], result[other]] = [result[other] as Item, result[index] as Item]
  }
  return result
}

interface Timed {
  readonly milliseconds: number
  /** Status, headers in their order without the values of two of them, and body. */
  readonly bytes: string
}

const timed = (url: string, address: string, agent: Agent): Promise<Timed> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const sent = httpRequest(url, { agent, headers: { 'x-forwarded-for': address, accept: 'text/html' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const milliseconds = performance.now() - started
        const { rawHeaders, statusCode } = response
        const headers = rawHeaders.map((text, index) =>
          /^(x-request-id|date)$/i.test(rawHeaders[index - 1] ?? '') && index % 2 === 1 ? '…' : text,
        )
        resolve({ milliseconds, bytes: `${statusCode} ${JSON.stringify(headers)} ${Buffer.concat(chunks).toString()}` })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
