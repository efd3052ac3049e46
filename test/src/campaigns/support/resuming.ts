import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeConfiguration } from '../../support/configuration.js'
import { newChat, type Person, post, signUpPerson } from './person.js'
import { type ServiceLife, startLife } from './service-life.js'

/** How many runs one person has: below the limit of the service. */
const runsOfPerson = 100
const limitMs = 120_000

/** How long open runs take to go on after a kill, in milliseconds from the start of the new process. */
export interface ResumingFigures {
  readonly runs: number
  /** When the service was ready. */
  readonly readyMs: number
  /** Runs that had asked their model before the kill, and when all of those had asked it again. */
  readonly asked: number
  readonly askedMs: number
  /** When every run had asked its model, also those that wait until others have ended: a process drives a limited number at once. */
  readonly allMs: number
}

const wholeAnswer =
  'data: {"choices":[{"index":0,"delta":{"content":"Done."}}]}\n\ndata: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

/** A model that says nothing until it is told to, and then one word at once. It knows who asked by the text. */
async function startSilentModel() {
  const asked = new Map<string, number>()
  let speaking = false
  let look: () => void = () => undefined
  const answer = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (speaking) response.end(wholeAnswer)
    else response.flushHeaders()
  }
  const server = createServer((request, response) => {
    let body = ''
    response.on('error', () => undefined)
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    request
      .on('error', () => undefined)
      .on('end', () => {
        const name = /the run (\d+) goes on/.exec(body)?.[1]
        if (name !== undefined && !asked.has(name)) asked.set(name, performance.now())
        answer(response)
        look()
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    speak() {
      speaking = true
      asked.clear()
    },
    /** Resolves once these have asked. @throws after two minutes. */
    until: (holds: () => boolean): Promise<void> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`Only ${asked.size} runs have asked their model within ${limitMs / 1000} s.`)),
          limitMs,
        )
        look = () => {
          if (!holds()) return
          clearTimeout(timer)
          resolve()
        }
        look()
      }),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Leaves so many runs open, kills the service, and looks how soon each has asked its model again. */
export async function measureResuming({ runs }: { readonly runs: number }): Promise<ResumingFigures> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-resuming-'))
  const model = await startSilentModel()
  let life: ServiceLife | undefined
  try {
    await writeConfiguration(folder, model.url)
    life = startLife({ folder })
    const url = await life.ready
    if (url === undefined) throw new Error(`The service did not start:\n${life.log.join('\n')}`)
    const people: Person[] = []
    for (let person = 0; person * runsOfPerson < runs; person += 1) people.push(await signUpPerson(url, `person-${person}`))
    let next = 0
    const worker = async (): Promise<void> => {
      for (let number = next++; number < runs; number = next++) {
        const person = people[number % people.length]
        if (person) await post(url, person, await newChat(url, person), `the run ${number} goes on`)
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    await life.kill()

    const before = [...model.asked.keys()]
    model.speak()
    const startedAt = performance.now()
    life = startLife({ folder })
    const ready = life.ready.then(() => performance.now())
    await model.until(() => model.asked.size === runs)
    const since = (moment: number): number => Math.round(moment - startedAt)
    const last = (names: readonly string[]): number => since(Math.max(...names.map((name) => model.asked.get(name) ?? 0)))
    return { runs, readyMs: since(await ready), asked: before.length, askedMs: last(before), allMs: last([...model.asked.keys()]) }
  } finally {
    await life?.kill()
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
}
