import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startHaltingUpstream } from '../service/support/halting-upstream.js'
import { openStream } from '../service/support/raw-stream.js'
import { untilReady } from '../service/support/restarting-service.js'
import { type Api, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { removeFolder, startServiceProcess } from '../support/service-process.js'
import { residentMegabytes } from './child.js'
import { type Figure, median } from './figures.js'

const rounds = 5
/** A leak of a part of the kernel shows after so many. */
const manyRestarts = 50
const aimMs = 2_000

/** From the request for a restart in place to the first answer of the next kernel, and what many of them leave behind. */
export async function benchRestart(print: (line: string) => void): Promise<readonly Figure[]> {
  const upstream = await startHaltingUpstream()
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-restart-'))
  await writeConfiguration(folder, upstream.url)
  const service = await startServiceProcess({ folder, environment: { UPSTREAM_KEY: 'upstream-key-0123456789' } })
  const ada = await signUp(service.url, 'ada')
  let ready = 1
  const restart = async (): Promise<number> => {
    const stream = await openStream(service.url, '/api/events', { authorization: `Bearer ${ada.token}` })
    const began = performance.now()
    await ask(ada)
    await stream.ended
    // Asked of the old kernel's port while there is no kernel.
    await ada.request('GET', '/api/chats')
    const took = performance.now() - began
    ready += 1
    await untilReady(service, ready)
    return took
  }
  const times = async (count: number): Promise<readonly number[]> => {
    const all: number[] = []
    for (let round = 0; round < count; round += 1) all.push(await restart())
    return all
  }
  const openFiles = async (): Promise<number> => (await readdir(`/proc/${service.child.pid}/fd`)).length
  try {
    await restart()
    const idle = median(await times(rounds))
    const stream = await openStream(service.url, '/api/events', { authorization: `Bearer ${ada.token}` })
    const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
    await ada.request('POST', `/api/chats/${chat}/messages`, { content: 'Write' })
    await stream.until(({ name }) => name === 'text.delta')
    const answering = median(await times(rounds))
    const before = await residentMegabytes(service.child)
    const filesBefore = await openFiles()
    print(`  ${manyRestarts} restarts with an answer under way, from ${Math.round(before)} MB on`)
    await times(manyRestarts)
    const after = await residentMegabytes(service.child)
    const filesAfter = await openFiles()
    const aim = (took: number) => ({ text: `under ${aimMs.toLocaleString('en-US')} ms`, met: took < aimMs })
    return [
      { what: 'restart in place to the first answer, idle', ours: idle, unit: 'ms', aim: aim(idle) },
      { what: 'the same, with an answer that is being written', ours: answering, unit: 'ms', aim: aim(answering) },
      { what: `memory that ${manyRestarts} restarts leave behind`, ours: after - before, unit: 'MB' },
      { what: 'open files and sockets that they leave behind', ours: filesAfter - filesBefore, unit: '' },
    ]
  } finally {
    await service.stop()
    await removeFolder(folder)
    await upstream.close()
  }
}

async function ask(admin: Api): Promise<void> {
  const { status, body } = await admin.request('POST', '/api/admin/restart')
  if (status !== 202) throw new Error(`The restart answered ${status}: ${String(body['detail'])}`)
}
