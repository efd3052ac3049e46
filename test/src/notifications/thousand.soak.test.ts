import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import { type Api, type EventStream, signUp } from '../support/api.js'
import senderPlugin, { sendMany } from './support/sender-plugin.js'

const all = 1_000
/** In memory where there is such a folder: each notification waits for the disk when it arrives. */
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

describe('a thousand notifications of one person', function () {
  this.timeout(120_000)
  let folder: string
  let kernel: TestKernel
  let ada: Api
  let stream: EventStream
  before(async () => {
    folder = await mkdtemp(path.join(place, 'agent-service-sender-'))
    const plugin = await writeTestPlugin(path.join(folder, 'plugin'), senderPlugin, new URL('./support/sender-plugin.js', import.meta.url))
    kernel = await createTestKernel({ folder: path.join(folder, 'service'), plugins: [plugin] })
    ada = await signUp(kernel.url, 'ada')
    stream = await ada.stream()
  })
  after(async () => {
    stream?.close()
    await kernel?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('are listed in pages with the right counts, and marked as read in a few steps', async () => {
    await sendMany(ada.userId, all + 5)
    await stream.until(({ name, data }) => name === 'notification.created' && data['title'] === String(all + 5))
    const found: { readonly id: string; readonly title: string }[] = []
    let pages = 0
    for (let cursor: unknown = ''; cursor !== null; pages += 1) {
      const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(String(cursor))}`
      const { body } = await ada.request('GET', `/api/notifications?limit=200${query}`)
      expect(body['unread']).to.equal(all)
      found.push(...(body['items'] as typeof found))
      cursor = body['next_cursor']
    }
    expect(pages).to.equal(5)
    // The oldest ones went for the last ones.
    expect(found.map(({ title }) => title)).to.deep.equal(Array.from({ length: all }, (_, index) => String(all + 5 - index)))

    const begun = stream.events.length
    const read = (body: object) => ada.request('POST', '/api/notifications/read', body)
    expect((await read({ until: found[399]?.id })).body).to.deep.equal({ unread: 399 })
    expect((await read({})).body).to.deep.equal({ unread: 0 })
    await stream.next(begun, ({ name, data }) => name === 'notification.updated' && data['unread'] === 0)
    const steps = stream.events.slice(begun).filter(({ name }) => name === 'notification.updated')
    expect(steps.map(({ data }) => data['unread'])).to.deep.equal([800, 600, 400, 399, 199, 0])
    const left = (await ada.request('GET', '/api/notifications?unread=true&limit=200')).body
    expect(left).to.deep.equal({ items: [], next_cursor: null, unread: 0, devices: false })
  })
})
