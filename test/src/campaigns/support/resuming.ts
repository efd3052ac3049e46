import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeConfiguration } from '../../support/configuration.js'
import { newChat, type Person, post, signUpPerson } from './person.js'
import { type ServiceLife, startLife } from './service-life.js'

/** How many runs of one person go on at once; further ones wait. */
const goingOnOfPerson = 32
const limitMs = 120_000

/**
 * How long open runs take to go on after a kill, in milliseconds from the start of the new process.
 */
export interface ResumingFigures {
  readonly runs: number
  /** When the service was ready. */
  readonly readyMs: number
  /**
   * Runs that went on before the kill: they had asked their model. The others waited until their
   * owner's runs before them would have ended.
   */
  readonly goingOn: number
  /**
   * When every run was again as before the kill: those that went on had asked their model again,
   * and the others waited.
   */
  readonly resumedMs: number
}

/** A model that never answers. It knows who asked by the text. */
async function startSilentModel() {
  const asked = new Map<string, number>()
  let look: () => void = () => undefined
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
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
        look()
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** When each run asked first. */
    asked,
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

/**
 * Leaves so many runs open, of so many people, kills the service, and looks how soon each is again
 * as it was. The model says nothing, so that no run ends meanwhile and another takes its place.
 */
export async function measureResuming({
  runs,
  people: owners,
  environment = {},
}: {
  readonly runs: number
  readonly people: number
  readonly environment?: Readonly<Record<string, string>>
}): Promise<ResumingFigures> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-resuming-'))
  const model = await startSilentModel()
  let life: ServiceLife | undefined
  try {
    await writeConfiguration(folder, model.url)
    life = startLife({ folder, environment })
    const url = await life.ready
    if (url === undefined) throw new Error(`The service did not start:\n${life.log.join('\n')}`)
    const people: Person[] = []
    for (let person = 0; person < owners; person += 1) people.push(await signUpPerson(url, `person-${person}`))
    let next = 0
    const worker = async (): Promise<void> => {
      for (let number = next++; number < runs; number = next++) {
        const person = people[number % people.length]
        if (person) await post(url, person, await newChat(url, person), `the run ${number} goes on`)
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    const goingOn = Math.min(runs, owners * goingOnOfPerson)
    await model.until(() => model.asked.size === goingOn)
    await life.kill()

    const before = [...model.asked.keys()]
    model.asked.clear()
    const startedAt = performance.now()
    life = startLife({ folder, environment })
    const ready = life.ready.then(() => performance.now())
    await model.until(() => before.every((name) => model.asked.has(name)))
    if (model.asked.size > goingOn) throw new Error(`${model.asked.size} runs went on after the kill, and ${goingOn} before it.`)
    const since = (moment: number): number => Math.round(moment - startedAt)
    return { runs, readyMs: since(await ready), goingOn, resumedMs: since(Math.max(...model.asked.values())) }
  } finally {
    await life?.kill()
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
}
