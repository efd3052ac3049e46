import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { WebSocket } from 'ws'
import { signUp } from '../support/api.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'

const mebibyte = 1_048_576
const floodBytes = 40 * mebibyte

describe('a flood of output in a terminal', function () {
  this.timeout(120_000)
  let folder: string
  let service: ServiceProcess
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-flood-'))
    service = await startServiceProcess({ folder })
  })
  afterEach(async () => {
    await service.kill()
    await removeFolder(folder)
  })

  const residentBytes = async (): Promise<number> => {
    const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024
  }

  it('keeps the memory of the service flat, for a page that reads and for one that does not', async () => {
    const ada = await signUp(service.url, 'ada')
    const [agent] = (await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
    const { body } = await ada.request('POST', '/api/sandbox/terminals', { agent_id: agent?.id })
    const id = String(body['id'])
    const socket = new WebSocket(`${service.url.replace(/^http/, 'ws')}/api/sandbox/terminals/${id}?token=${ada.token}`)
    await once(socket, 'open')
    let received = 0
    let most = 0
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) received += data.length
    })
    const until = async (bytes: number): Promise<void> => {
      while (received < bytes) {
        await once(socket, 'message')
        if (received % (8 * mebibyte) < 65_536) most = Math.max(most, await residentBytes())
      }
    }
    socket.send(Buffer.from('yes 0123456789012345678901234567890123456789\n'))
    await until(4 * mebibyte)
    const before = await residentBytes()
    await until(floodBytes)
    socket.pause()
    const written = async (): Promise<number> => Number((await ada.request('GET', `/api/sandbox/processes/${id}`)).body['output_bytes'])
    const left = await written()
    for (let times = 0; times < 50; times += 1) {
      most = Math.max(most, await residentBytes())
      // What the system and the service hold for a page that does not read.
      expect((await written()) - left).to.be.below(32 * mebibyte)
    }
    expect(most - before).to.be.below(64 * mebibyte)
    socket.terminate()
  })
})
