import { once } from 'node:events'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { openSocket } from '../bad-input/support/raw-http.js'
import { signUp } from '../support/api.js'
import { removeFolder, startServiceProcess } from '../support/service-process.js'

describe('a repeated stop signal', function () {
  this.timeout(60_000)
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-stopping-'))
    await mkdir(path.join(folder, 'data'))
  })
  afterEach(() => removeFolder(folder))

  for (const [first, second] of [
    ['SIGTERM', 'SIGTERM'],
    ['SIGINT', 'SIGTERM'],
  ] as const) {
    it(`exits at once with 1 when ${second} follows ${first}`, async () => {
      const service = await startServiceProcess({ folder })
      const { token } = await signUp(service.url, 'ada')
      const socket = await openSocket(service.url)
      // A request that would hold the end up for as long as it may.
      socket.write(
        `POST /api/chats HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
      )
      expect((await fetch(`${service.url}/readyz`)).status).to.equal(200)
      const ended = once(service.child, 'exit')
      service.child.kill(first)
      await eventually(() => service.log.some((line) => line.includes('The service is stopping.')), { what: () => service.log })
      service.child.kill(second)
      expect((await ended)[0]).to.equal(1)
      socket.destroy()
      const again = await startServiceProcess({ folder })
      expect(await again.stop()).to.equal(0)
    })
  }
})
