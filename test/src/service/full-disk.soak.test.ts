import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { removeFolder, startServiceProcess } from '../support/service-process.js'
import { diskKinds } from '../support/small-disk.js'

const scratch = await mkdtemp(path.join(tmpdir(), 'agent-service-disks-'))
const disks = await diskKinds(scratch).finally(() => rm(scratch, { recursive: true }))

/** Polls until the status is as expected. The service has no event for this: operators poll as well. */
const statusBecomes = (url: string, status: number): Promise<unknown> =>
  eventually(async () => {
    const answer = await fetch(url)
    const body: unknown = await answer.json()
    expect(answer.status, JSON.stringify(body)).to.equal(status)
    return body
  })

for (const kind of disks) {
  describe(`a service whose disk is full (${kind.name})`, function () {
    this.timeout(60_000)

    it('refuses writes with 507, keeps reading, reports it in /readyz, and is ready again once there is space', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-full-'))
      const disk = await kind.create(path.join(folder, 'data'))
      const service = await startServiceProcess({ folder })
      try {
        const ada = await signUp(service.url, 'ada')
        const chat = String((await ada.request('POST', '/api/chats', { title: 'Before' })).body['id'])
        const post = () => ada.request('PATCH', `/api/chats/${chat}`, { title: 'x'.repeat(100) })
        expect((await post()).status).to.equal(200)
        expect(await statusBecomes(`${service.url}/readyz`, 200)).to.include({ status: 'ready' })

        await disk.fill(service.child.pid)
        let refused = await post()
        for (let attempt = 0; refused.status === 200 && attempt < 10_000; attempt += 1) refused = await post()
        expect(refused.status, JSON.stringify(refused.body)).to.equal(507)
        expect(refused.body).to.include({ code: 'storage_full' })
        expect(await statusBecomes(`${service.url}/readyz`, 503)).to.deep.equal({ status: 'impaired', step: 'storage_full' })
        expect((await fetch(`${service.url}/healthz`)).status).to.equal(200)
        expect((await ada.request('GET', `/api/chats/${chat}`)).body).to.include({ id: chat })

        await disk.free(service.child.pid)
        await statusBecomes(`${service.url}/readyz`, 200)
        expect((await ada.request('POST', '/api/chats', { title: 'After' })).status).to.equal(201)
      } finally {
        await service.stop()
        await disk.remove()
        await removeFolder(folder)
      }
    })
  })
}
