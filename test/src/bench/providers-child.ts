/**
 * Streams answers in a process of its own, in turns through one subject and through raw `fetch`,
 * and prints what it measured as one line of JSON. Its arguments: the module of the subject, the
 * protocol, the upstream's address, how many at a time, how many streams in all, and `memory` where
 * that is what is measured.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { median } from './figures.js'

/** Resolves with the text of the answer, of raw `fetch` with nothing. */
type Stream = () => Promise<string | undefined>

/** The last word that the upstream says in either protocol. */
const lastWord = /word5[45] $/

const [file = '', protocol = '', url = '', together = '', total = '', what = ''] = process.argv.slice(2)
const atOnce = Number(together)
const count = Number(total)
const { createSubject } = (await import(file)) as { createSubject(url: string, protocol: string): Stream | Promise<Stream> }
const subject = await createSubject(url, protocol)

const raw: Stream = async () => {
  const answer = await fetch(`${url}/v1/${protocol === 'completions' ? 'chat/completions' : 'messages'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'model-1', stream: true, messages: [{ role: 'user', content: 'Say something.' }] }),
  })
  let bytes = 0
  for await (const piece of answer.body ?? []) bytes += (piece as Uint8Array).length
  if (bytes < 1_000) throw new Error(`The answer had ${bytes} bytes.`)
  return undefined
}

/** Runs so many streams, so many at a time. Answers how long each took, in milliseconds. */
async function run(stream: Stream, streams: number): Promise<readonly number[]> {
  const times: number[] = []
  let left = streams
  await Promise.all(
    Array.from({ length: Math.min(atOnce, streams) }, async () => {
      while (left > 0) {
        left -= 1
        const began = performance.now()
        const text = await stream()
        times.push(performance.now() - began)
        if (text !== undefined && !lastWord.test(text)) throw new Error(`The answer was “${text.slice(-50)}”.`)
      }
    }),
  )
  return times
}

interface Measured {
  readonly times: number[]
  cpuMs: number
}

async function measure(stream: Stream, streams: number, into: Measured): Promise<void> {
  const before = process.cpuUsage()
  into.times.push(...(await run(stream, streams)))
  const { user, system } = process.cpuUsage(before)
  into.cpuMs += (user + system) / 1_000
}

const summed = ({ times, cpuMs }: Measured) => ({ medianMs: median(times), cpuMs: cpuMs / times.length })

async function compare(): Promise<unknown> {
  const rounds = 10
  const ours: Measured = { times: [], cpuMs: 0 }
  const theirs: Measured = { times: [], cpuMs: 0 }
  for (const stream of [subject, raw, subject, raw]) await run(stream, Math.max(200, atOnce))
  for (let round = 0; round < rounds; round += 1) {
    await measure(subject, count / rounds, ours)
    await measure(raw, count / rounds, theirs)
  }
  return { subject: summed(ours), raw: summed(theirs) }
}

/** The heap after a garbage collection, in megabytes. */
async function held(): Promise<{ readonly heap: number; readonly resident: number }> {
  for (let turn = 0; turn < 3; turn += 1) {
    global.gc?.()
    await delay(50)
  }
  const { heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed / 1e6, resident: rss / 1e6 }
}

async function memory(): Promise<unknown> {
  await run(subject, 1_000)
  const before = await held()
  await run(subject, count)
  const after = await held()
  return { heapGrownMb: after.heap - before.heap, residentGrownMb: after.resident - before.resident }
}

process.stdout.write(`${JSON.stringify(await (what === 'memory' ? memory() : compare()))}\n`, () => process.exit(0))
