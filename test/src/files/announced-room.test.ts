import { once } from 'node:events'
import { statfs } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { createTestKernel, type TestKernel, type TestKernelOptions } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { openSocket, readToEnd } from '../bad-input/support/raw-http.js'
import { type Api, signUp } from '../support/api.js'

/** What is free where the tests keep their data, less the reserve. */
async function usableRoom(): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(tmpdir())
  return bavail * bsize - Math.min(2 ** 30, 0.02 * blocks * bsize)
}

/**
 * Sizes are parts of the room that the disk has at that time, far enough from the limits that other
 * processes may use the disk meanwhile.
 */
describe('room that requests announce', () => {
  let kernel: TestKernel
  let ada: Api
  let bob: Api
  let room: number
  const sockets: Socket[] = []

  const start = async (options: TestKernelOptions = {}): Promise<void> => {
    kernel = await createTestKernel({
      ...options,
      environment: { SERVICE_SERVER_MAX_BODY_SIZE_BYTES: String(2 ** 50) },
    })
    ada = await signUp(kernel.url, 'ada')
    bob = await signUp(kernel.url, 'bob')
    room = await usableRoom()
  }
  before(async function () {
    // Where the room is unknown nothing is refused, and a full disk has no room to share.
    if ((await usableRoom()) <= 0) this.skip()
  })
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await kernel.stop()
  })

  /** Announces a body and sends none of it: the answer comes at once, either way. */
  const announce = async ({ token }: Api, part: number): Promise<{ readonly socket: Socket; readonly answer: string }> => {
    const socket = await openSocket(kernel.url)
    sockets.push(socket)
    socket.write(
      `PUT /api/files/content?path=files/video HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: video/mp4\r\nExpect: 100-continue\r\nContent-Length: ${Math.floor(part * room)}\r\n\r\n`,
    )
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    return { socket, answer: bytes.toString('latin1').slice('HTTP/1.1 '.length).slice(0, 3) }
  }

  it('is shared: what one user announces leaves a part of it to others', async () => {
    await start()
    expect((await announce(ada, 0.85)).answer).to.equal('507')
    expect((await announce(ada, 0.6)).answer).to.equal('100')
    expect((await announce(ada, 0.3)).answer).to.equal('507')
    expect((await announce(bob, 0.2)).answer).to.equal('100')
  })

  it('is given back when the client goes', async () => {
    await start()
    const { socket, answer } = await announce(ada, 0.6)
    expect(answer).to.equal('100')
    expect((await announce(ada, 0.5)).answer).to.equal('507')
    socket.destroy()
    // The service learns of it a moment later.
    while ((await announce(ada, 0.5)).answer !== '100');
  })

  it('is given back when nothing arrives for as long as a body may make no progress', async () => {
    await start({ httpLimits: { maxBodyIdleMs: 200 } })
    const { socket, answer } = await announce(ada, 0.6)
    expect(answer).to.equal('100')
    expect((await readToEnd(socket)).text)
      .to.include(' 408 ')
      .and.include('request_timeout')
    expect((await announce(ada, 0.6)).answer).to.equal('100')
  })
})
