import { rm } from 'node:fs/promises'
import { expect } from 'chai'
import { type Api, signIn, signUp } from '../support/api.js'
import { fewPlugins } from '../support/few-plugins.js'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js'

const linkOf = (body: Record<string, unknown>): string => new URL(String(body['content_url'])).pathname

describe('share links over a crash', function () {
  this.timeout(90_000)
  let service: ServiceProcess
  let person: Api
  before(async () => {
    service = await startServiceProcess({ environment: fewPlugins('feature-share') })
    person = await signUp(service.url, 'ada')
    const answer = await fetch(`${service.url}/api/files/content?path=files/notes.txt`, {
      ...{ method: 'PUT', body: 'Milk' },
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
    })
    expect(answer.status).to.equal(201)
  })
  after(async () => {
    await service.stop()
    await rm(service.folder, { recursive: true, force: true })
  })

  it('work if they were acknowledged, stay revoked if that was, and count no more than there are', async () => {
    const acknowledged: { readonly id: string; readonly link: string }[] = []
    const revoked: string[] = []
    let isKilled = false
    const work = async (): Promise<void> => {
      while (!isKilled) {
        const made = await person.request('POST', '/api/shares', { path: 'files/notes.txt' }).catch(() => undefined)
        if (made?.status !== 201) return
        const link = linkOf(made.body)
        const id = String(made.body['id'])
        acknowledged.push({ id, link })
        if (acknowledged.length % 2 === 0) continue
        const gone = await person.request('DELETE', `/api/shares/${id}`).catch(() => undefined)
        if (gone?.status !== 204) return
        revoked.push(link)
      }
    }
    const working = Promise.all(Array.from({ length: 4 }, work))
    while (acknowledged.length < 40) await new Promise((resolve) => setImmediate(resolve))
    await service.kill()
    isKilled = true
    await working
    service = await startServiceProcess({ folder: service.folder, environment: fewPlugins('feature-share') })
    person = await signIn(service.url, 'ada', 'a long enough password')
    // The last one of each worker may have been revoked without an answer.
    const { body } = await person.request('GET', '/api/shares?limit=200')
    const listed = new Set((body['items'] as readonly { readonly id: string }[]).map(({ id }) => id))
    for (const { id, link } of acknowledged.slice(0, 50)) {
      const status = (await fetch(`${service.url}${link}`)).status
      expect(status, link).to.equal(listed.has(id) ? 200 : 404)
      if (revoked.includes(link)) expect(status).to.equal(404)
    }
    const kept = acknowledged.filter(({ link }) => !revoked.includes(link)).filter(({ id }) => !listed.has(id))
    expect(kept.length, 'links that were lost').to.be.at.most(4)
    const counts = (await person.request('GET', '/api/admin/shares')).body as { readonly live: { readonly files: number } }
    const again = await person.request('POST', '/api/shares', { path: 'files/notes.txt' })
    expect(again.status).to.equal(201)
    expect(((await person.request('GET', '/api/admin/shares')).body as typeof counts).live.files).to.equal(counts.live.files + 1)
  })
})
