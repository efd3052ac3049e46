import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { signIn, signUp } from '../support/api.js'
import { removeFolder, startServiceProcess } from '../support/service-process.js'
import { connectTerminal } from './support/terminal-client.js'

const password = 'a long enough password'

describe('the terminals of a service that stops', function () {
  this.timeout(60_000)
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-terminals-'))
  })
  afterEach(() => removeFolder(folder))

  for (const [how, code] of [
    ['stop', [1001, 1012]],
    ['kill', [1006]],
  ] as const) {
    it(`end with it, and a page that comes back hears so, after a ${how}`, async () => {
      const first = await startServiceProcess({ folder })
      const ada = await signUp(first.url, 'ada', password)
      const [agent] = (await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[]
      const { body, status } = await ada.request('POST', '/api/sandbox/terminals', { agent_id: agent?.id })
      expect(status, JSON.stringify(body)).to.equal(201)
      const address = `/api/sandbox/terminals/${String(body['id'])}`
      const page = await connectTerminal(first.url, `${address}?token=${ada.token}`)
      page.type('sleep 987654 & echo started-$!\n')
      await page.shows(/started-\d+/)
      await first[how]()
      expect((await page.closed).code).to.be.oneOf(code)

      const second = await startServiceProcess({ folder })
      try {
        const again = await signIn(second.url, 'ada', password)
        const back = await connectTerminal(second.url, `${address}?token=${again.token}&from=${page.position()}`)
        expect(await back.closed).to.deep.equal({ code: 1008, reason: 'not_found' })
        expect((await again.request('GET', `/api/sandbox/processes/${String(body['id'])}`)).status).to.equal(404)
        expect((await again.request('GET', '/api/sandbox/processes')).body).to.deep.equal({ items: [], next_cursor: null })
      } finally {
        await second.stop()
      }
    })
  }
})
