import { mkdtemp, rm } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Api, signUp } from '../support/api.js'
import { startChild } from './child.js'
import type { Figure } from './figures.js'
import { programOf } from './service-child.js'
import { startWatched, startWatchedWithoutBound, type WatchedService } from './watched-service.js'

const streams = 3_000
const messageCharacters = 64 * 1024
const bodies = 8
const bodyBytes = 32 * 1024 * 1024
/** How much of each body does not come. */
const missingBytes = 12
const everyMs = 50
const largeBody = Buffer.alloc(bodyBytes - missingBytes, 'm')
largeBody.write('{"content":"')
const watchedMs = 10_000

/** What one checkout comes to. */
interface Outcome {
  readonly accepted: number
  readonly streams: Watched
  readonly bodies: Watched
  /** The same posts while nothing else happens. */
  readonly quiet: Watched
}

interface Watched {
  readonly stallMs: number
  readonly peakMb: number
  /** Of another account, which does something small all the time. */
  readonly p99Ms: number
  readonly refused: number
}

/**
 * What one account can do to another one: three thousand event streams and one message; eight
 * bodies of 32 MiB that stop before their end. With `BENCH_BESIDE`, the absolute path of another
 * checkout that is built, its figures stand beside.
 */
export async function benchFairness(print: (line: string) => void): Promise<readonly Figure[]> {
  const other = process.env['BENCH_BESIDE']
  const unbounded = await measureWithoutBound(print)
  const beside = other === undefined ? undefined : await measure(programOf(other), print)
  const ours = await measure(undefined, print)
  const figure = (what: string, unit: string, read: (outcome: Outcome) => number, most?: number): Figure => ({
    ...{ what, unit, ours: read(ours) },
    ...(beside ? { baseline: { name: 'the other', value: read(beside) } } : {}),
    ...(most === undefined ? {} : { aim: { text: `at most ${most} ${unit}`, met: read(ours) <= most } }),
  })
  return [
    figure(`streams open, of ${streams} asked for`, '', ({ accepted }) => accepted),
    figure('  one message: longest stall of the loop', 'ms', (outcome) => outcome.streams.stallMs, 100),
    figure('  peak memory', 'MB', (outcome) => outcome.streams.peakMb, 400),
    figure('  p99 of another account', 'ms', (outcome) => outcome.streams.p99Ms, 250),
    { what: `${unbounded.accepted} streams where there is no limit: longest stall`, ours: unbounded.streams.stallMs, unit: 'ms' },
    { what: '  memory that the message takes', ours: unbounded.streams.peakMb - unbounded.beforeMb, unit: 'MB' },
    { what: '  p99 of another account', ours: unbounded.streams.p99Ms, unit: 'ms' },
    figure(`${bodies} slow bodies of 32 MiB: longest stall`, 'ms', (outcome) => outcome.bodies.stallMs, 100),
    figure('  peak memory', 'MB', (outcome) => outcome.bodies.peakMb, 400),
    figure('  p99 of another account that posts', 'ms', (outcome) => outcome.bodies.p99Ms, 250),
    figure('  p99 of its posts when nothing else happens', 'ms', (outcome) => outcome.quiet.p99Ms),
    figure('  its posts that were refused', '%', (outcome) => outcome.bodies.refused, 0),
  ]
}

/** Many streams as they are served, apart from how many one may have. */
async function measureWithoutBound(
  print: (line: string) => void,
): Promise<Pick<Outcome, 'accepted' | 'streams'> & { readonly beforeMb: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-fairness-'))
  const upstream = await startChild('./scripted-upstream.js')
  print('  this commit, without a limit of event streams')
  try {
    const service = await startWatchedWithoutBound(folder, upstream.url)
    try {
      return await openManyStreams(service, await signUp(service.url, 'greedy'), await signUp(service.url, 'other'))
    } finally {
      await service.stop()
    }
  } finally {
    await upstream.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(binary: string | undefined, print: (line: string) => void): Promise<Outcome> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-fairness-'))
  const upstream = await startChild('./scripted-upstream.js')
  print(`  ${binary ?? 'this commit'}`)
  try {
    const inFolder = async <Result>(work: (service: WatchedService, greedy: Api, other: Api) => Promise<Result>): Promise<Result> => {
      const service = await startWatched(await mkdtemp(path.join(folder, 'service-')), upstream.url, binary)
      try {
        return await work(service, await signUp(service.url, 'greedy'), await signUp(service.url, 'other'))
      } finally {
        await service.stop()
      }
    }
    const manyStreams = await inFolder(openManyStreams)
    return { ...manyStreams, ...(await inFolder(sendSlowBodies)) }
  } finally {
    await upstream.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Every stream is read. The message is long, and its answer is the upstream's. */
async function openManyStreams(
  service: WatchedService,
  greedy: Api,
  other: Api,
): Promise<Pick<Outcome, 'accepted' | 'streams'> & { readonly beforeMb: number }> {
  const open: ClientRequest[] = []
  let accepted = 0
  for (let index = 0; index < streams; index += 100)
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        const { asked, status } = await openStream(greedy)
        open.push(asked)
        if (status === 200) accepted += 1
      }),
    )
  const chat = await made(greedy.request('POST', '/api/chats', {}))
  await service.reset()
  const { peakMb: beforeMb } = await service.worst()
  await service.reset()
  const watched = await beside(service, other, 'GET', async () => {
    await made(greedy.request('POST', `/api/chats/${chat}/messages`, { content: 'm'.repeat(messageCharacters) }))
  })
  for (const asked of open) asked.destroy()
  return { accepted, beforeMb, streams: watched }
}

function openStream({ url, token }: Api): Promise<{ readonly asked: ClientRequest; readonly status: number }> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/api/events`, { agent: false, headers: { authorization: `Bearer ${token}` } })
    asked.on('error', reject)
    asked.on('response', (answer) => {
      answer.on('error', () => undefined)
      answer.resume()
      resolve({ asked, status: answer.statusCode ?? 0 })
    })
    asked.end()
  })
}

/** Everything of each body comes at once but the last bytes, which do not come. */
async function sendSlowBodies(service: WatchedService, greedy: Api, other: Api): Promise<Pick<Outcome, 'bodies' | 'quiet'>> {
  const chat = await made(greedy.request('POST', '/api/chats', {}))
  const quiet = await beside(service, other, 'POST', async () => undefined)
  await service.reset()
  const open: ClientRequest[] = []
  const watched = await beside(service, other, 'POST', async () => {
    for (let index = 0; index < bodies; index += 1) open.push(sendSlowly(greedy, `/api/chats/${chat}/messages`))
  })
  for (const asked of open) asked.destroy()
  return { bodies: watched, quiet }
}

function sendSlowly({ url, token }: Api, target: string): ClientRequest {
  const asked = request(`${url}${target}`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': bodyBytes },
  })
  // A body that is refused in the middle breaks off.
  asked.on('error', () => undefined)
  asked.on('response', (answer) => answer.resume().on('error', () => undefined))
  asked.write(largeBody)
  return asked
}

/**
 * What the other account sees meanwhile: one small request after the other, at even distances,
 * however long the answers take.
 */
async function beside(service: WatchedService, other: Api, method: 'GET' | 'POST', work: () => Promise<void>): Promise<Watched> {
  const times: number[] = []
  const asked: Promise<void>[] = []
  let refused = 0
  const ask = async (): Promise<void> => {
    const began = performance.now()
    const { status } = await other.request(method, '/api/chats', method === 'POST' ? { title: 't'.repeat(150) } : undefined)
    times.push(performance.now() - began)
    if (status >= 400) refused += 1
  }
  const ticking = setInterval(() => asked.push(ask()), everyMs)
  await work()
  await delay(watchedMs)
  clearInterval(ticking)
  await Promise.all(asked)
  const sorted = times.sort((a, b) => a - b)
  const p99Ms = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.99) - 1)] ?? Number.NaN
  return { ...(await service.worst()), p99Ms, refused: (refused / times.length) * 100 }
}

async function made(asked: ReturnType<Api['request']>): Promise<string> {
  const { status, body } = await asked
  if (status >= 400) throw new Error(`It answered ${status}: ${JSON.stringify(body)}`)
  return String(body['id'])
}
