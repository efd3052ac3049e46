import { mkdir, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  createControlledClock,
  createTestKernel,
  entriesOfArchive,
  type Forgery,
  forgeArchive,
  type TestKernel,
} from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, confirm, signUp } from '../support/api.js'
import { restoreInto } from '../support/restore-backup.js'
import { removeFolder } from '../support/service-process.js'

type Json = Record<string, unknown>

const upload = async (api: Api, name: string, content: string | Uint8Array): Promise<void> => {
  const answer = await fetch(`${api.url}/api/files/content?path=${encodeURIComponent(`files/${name}`)}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/octet-stream' },
    body: content,
  })
  if (!answer.ok) throw new Error(`Uploading answered ${answer.status}: ${await answer.text()}`)
}

const download = async (api: Api, name: string): Promise<string> =>
  (
    await fetch(`${api.url}/api/files/content?path=${encodeURIComponent(`files/${name}`)}`, {
      headers: { authorization: `Bearer ${api.token}` },
    })
  ).text()

describe('a backup of a running service', function () {
  this.timeout(60_000)

  let kernel: TestKernel
  let admin: Api
  let elsewhere: string
  before(async () => {
    kernel = await createTestKernel()
    elsewhere = await mkdtemp(path.join(tmpdir(), 'agent-service-backup-'))
    admin = await signUp(kernel.url, 'ada')
  })
  after(async () => {
    await kernel.stop()
    await removeFolder(elsewhere)
  })

  it('is made only by an admin, below the data folder, verified, and opens as a separate service with its files', async () => {
    const other = await signUp(kernel.url, 'bob')
    expect((await other.request('POST', '/api/admin/backups')).status).to.equal(403)
    const chat = (await admin.request('POST', '/api/chats', { title: 'Worth keeping' })).body
    await upload(other, 'letter.txt', 'Dear Ada')
    const made = await admin.request('POST', '/api/admin/backups')
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    const place = String(made.body['path'])
    expect(path.dirname(place)).to.equal(path.join(kernel.folder, 'data', 'system', 'backups'))
    expect(made.body).to.include({ driver: 'sqlite', readable: true })
    expect(made.body['verification']).to.include({ sound: true, problem: null, missing: 0 })
    await admin.request('POST', '/api/chats', { title: 'Too late' })

    await restoreInto(place, elsewhere)
    const again = await createTestKernel({ folder: elsewhere })
    try {
      const restored = await signUp(again.url, 'ada')
      const titles = ((await restored.request('GET', '/api/chats')).body['items'] as { readonly id: string; readonly title: string }[]).map(
        ({ id, title }) => [id, title],
      )
      expect(titles).to.deep.equal([[chat['id'], 'Worth keeping']])
      expect(await download(await signUp(again.url, 'bob'), 'letter.txt')).to.equal('Dear Ada')
    } finally {
      await again.stop()
    }
  })

  it('has neither the encryption secret nor an old backup in it', async () => {
    const made = await admin.request('POST', '/api/admin/backups')
    const content = await readFile(String(made.body['path']))
    expect(content.includes('a secret for tests alone')).to.equal(false)
    const heads = Array.from({ length: content.length / 512 }, (_, block) => content.toString('latin1', block * 512, block * 512 + 14))
    expect(heads).to.include('users/bob/file')
    expect(heads).not.to.include('system/backups')
  })

  it('is listed, downloaded and deleted with a confirmed session, and verified again', async () => {
    const { id, path: place, bytes } = (await admin.request('POST', '/api/admin/backups')).body
    const listed = (await admin.request('GET', '/api/admin/backups?limit=1')).body as { items: Json[]; next_cursor: string | null }
    expect(listed.items.map((item) => item['id'])).to.deep.equal([id])
    const rest = (await admin.request('GET', `/api/admin/backups?cursor=${String(listed.next_cursor)}`)).body as { items: Json[] }
    expect(rest.items.every((item) => String(item['id']) < String(id))).to.equal(true)
    expect((await admin.request('POST', `/api/admin/backups/${String(id)}/verify`)).body).to.include({ sound: true })

    expect((await admin.request('DELETE', `/api/admin/backups/${String(id)}`)).body).to.include({ code: 'confirmation_required' })
    await confirm(admin)
    const answer = await fetch(`${kernel.url}/api/admin/backups/${String(id)}/content`, {
      headers: { authorization: `Bearer ${admin.token}` },
    })
    const content = Buffer.from(await answer.arrayBuffer())
    expect(content.length).to.equal(bytes)
    expect(content.equals(await readFile(String(place)))).to.equal(true)
    expect((await admin.request('DELETE', `/api/admin/backups/${String(id)}`)).status).to.equal(204)
    expect((await admin.request('GET', `/api/admin/backups/${String(id)}`)).status).to.equal(404)
    for (const wrong of ['..%2f..%2fconfig', '2026-11-21T03-56-42.271Z'])
      expect((await admin.request('GET', `/api/admin/backups/${wrong}`)).status, wrong).to.be.oneOf([400, 404])
    const audited = (await admin.request('GET', '/api/admin/audit')).body['items'] as { readonly kind: string }[]
    expect(audited.map(({ kind }) => kind)).to.include.members(['backup.created', 'backup.verified', 'backup.downloaded', 'backup.deleted'])
  })

  it('reports its progress and end by events, one at a time, and can be cancelled', async () => {
    await upload(admin, 'large.bin', new Uint8Array(30_000_000))
    const stream = await admin.stream()
    const { status, body } = await admin.request('POST', '/api/admin/backups?wait=false')
    expect(status).to.equal(202)
    const second = await admin.request('POST', '/api/admin/backups')
    expect(second.body).to.include({ code: 'backup_running' })
    await stream.until(({ name, data }) => name === 'backup.progress.delta' && data['id'] === body['id'])
    await stream.until(({ name, data }) => name === 'backup.updated' && data['id'] === body['id'] && data['state'] === 'succeeded')
    const state = (await admin.request('GET', '/api/admin/backups/status')).body
    expect(state['last_run']).to.include({ id: body['id'], state: 'succeeded', trigger: 'request' })
    expect(state['last_good']).to.include({ id: body['id'] })
    expect(state['running']).to.equal(null)

    const next = (await admin.request('POST', '/api/admin/backups?wait=false')).body
    expect((await admin.request('POST', '/api/admin/backups/cancel')).body).to.deep.equal({ cancelled: true })
    expect((await admin.request('POST', '/api/admin/backups/cancel')).body).to.deep.equal({ cancelled: false })
    const after = (await admin.request('GET', '/api/admin/backups/status')).body
    expect(after['last_run']).to.include({ id: next['id'], state: 'cancelled' })
    const names = await readdir(path.join(kernel.folder, 'data', 'system', 'backups'))
    expect(names.filter((name) => name.startsWith('.') || name.includes(String(next['id'])))).to.deep.equal([])
    stream.close()
    const metrics = await (await fetch(`${kernel.url}/metrics`, { headers: { authorization: `Bearer ${admin.token}` } })).text()
    expect(metrics).to.match(/backups_total\{[^}]*outcome="succeeded"[^}]*\} [1-9]/)
    expect(metrics).to.include('backup_last_good_age_seconds')
  })

  it('that was damaged later is found out, and reported as damage', async () => {
    const { id, path: place } = (await admin.request('POST', '/api/admin/backups')).body
    const handle = await open(String(place), 'r+')
    await handle.write(Buffer.of(1), 0, 1, 5_000)
    await handle.close()
    const { body } = await admin.request('POST', `/api/admin/backups/${String(id)}/verify`)
    expect(body).to.include({ sound: false })
    expect(body['problem']).to.match(/changed|damaged/)
  })

  it('is proven to be made by this service, and one that was forged in its place is not relied on', async () => {
    const { id, path: place, verification, service } = (await admin.request('POST', '/api/admin/backups')).body
    expect(verification).to.include({ sound: true, proof: 'proven' })
    expect(service).to.be.a('string').with.length.above(0)
    const file = String(place)
    const { entries, end } = await entriesOfArchive(file)
    const forge = (change: Partial<Forgery>): Promise<void> => forgeArchive(file, { entries: entries.slice(0, -2), ...change })
    const verify = async (): Promise<Json> => (await admin.request('POST', `/api/admin/backups/${String(id)}/verify`)).body
    const lastGood = async (): Promise<unknown> =>
      ((await admin.request('GET', '/api/admin/backups/status')).body['last_good'] as Json | null)?.['id']
    expect(await lastGood()).to.equal(id)

    await forge({ end: (fitting) => ({ ...fitting, proof: end.proof ?? '' }) })
    const changed = await verify()
    expect(changed).to.include({ sound: false, proof: null })
    expect(changed['problem']).to.match(/changed after it was made/)

    const [head, ...rest] = entries.slice(0, -2)
    const older = Buffer.from(JSON.stringify({ ...(JSON.parse(String(head?.content)) as object), format: 2 }))
    await forge({ entries: [{ path: 'backup.json', content: older }, ...rest] })
    expect(await verify()).to.include({ sound: true, problem: null, proof: 'absent' })
    expect(await lastGood()).not.to.equal(id)
    const listed = (await admin.request('GET', `/api/admin/backups/${String(id)}`)).body
    expect(listed['verification']).to.include({ proof: 'absent' })
    const refused = await restoreInto(file, path.join(elsewhere, 'unproven')).catch((error: { readonly code?: string }) => error.code)
    expect(refused).to.equal('backup_unproven')
    const audited = (await admin.request('GET', '/api/admin/audit')).body['items'] as { readonly kind: string; readonly details: Json }[]
    expect(audited.find(({ kind }) => kind === 'backup.verified')?.details).to.deep.include({ sound: true, proof: 'absent' })
  })
})

describe('backups on a schedule', function () {
  this.timeout(60_000)

  it('are made when they are due, and old ones are deleted after the new one was verified', async () => {
    const clock = createControlledClock({ now: Date.parse('2026-11-23T00:30:00Z') })
    const settings = { 'feature-backup': { cron: '0 * * * *', timezone: 'Europe/Vienna', keep: 2 } }
    const kernel = await createTestKernel({ clock, environment: { SERVICE_PLUGINS_SETTINGS: JSON.stringify(settings) } })
    try {
      let admin = await signUp(kernel.url, 'ada')
      const status = async (): Promise<Json> => (await admin.request('GET', '/api/admin/backups/status')).body
      expect((await status())['schedule']).to.include({ cron: '0 * * * *', next_at: '2026-11-23T01:00:00.000Z', keep: 2 })
      const ids: unknown[] = []
      for (let hour = 1; hour <= 3; hour += 1) {
        await clock.advance(hour === 1 ? 1_860_000 : 3_600_000)
        // The access token has expired.
        admin = await signUp(kernel.url, 'ada')
        const stream = await admin.stream()
        const isDue = (run: Json | undefined): boolean => String(run?.['id']).startsWith(`2026-11-23T0${hour}`)
        const last = (await status())['last_run'] as Json | undefined
        if (!(isDue(last) && last?.['state'] === 'succeeded'))
          await stream.until(({ name, data }) => name === 'backup.updated' && data['state'] === 'succeeded' && isDue(data))
        ids.unshift(((await status())['last_run'] as Json)['id'])
        stream.close()
      }
      const listed = (await admin.request('GET', '/api/admin/backups')).body['items'] as Json[]
      expect(listed.map((item) => item['id'])).to.deep.equal(ids.slice(0, 2))
      expect((await status())['last_run']).to.include({ trigger: 'schedule', state: 'succeeded' })
    } finally {
      await kernel.stop()
    }
  })

  it('keep one that could read more, and tell administrators once that the newer ones cannot', async () => {
    const clock = createControlledClock({ now: Date.parse('2026-11-23T00:30:00Z') })
    const kernel = await createTestKernel({
      clock,
      environment: { SERVICE_PLUGINS_SETTINGS: JSON.stringify({ 'feature-backup': { keep: 1 } }) },
    })
    try {
      const admin = await signUp(kernel.url, 'ada')
      await upload(admin, 'letter.txt', 'Dear Bob')
      const make = async (): Promise<unknown> => {
        const { status, body } = await admin.request('POST', '/api/admin/backups')
        expect(status, JSON.stringify(body)).to.equal(201)
        await clock.advance(60_000)
        return body['id']
      }
      const ids = async (): Promise<readonly unknown[]> =>
        ((await admin.request('GET', '/api/admin/backups')).body['items'] as Json[]).map(({ id }) => id)
      const whole = await make()
      // The superuser reads what has no rights, so it lies too deep.
      const deep = path.join(kernel.folder, 'data', 'users', 'ada', 'files', 'd')
      await mkdir(path.join(deep, ...Array<string>(510).fill('d')), { recursive: true })
      await make()
      const last = await make()
      expect(await ids()).to.deep.equal([last, whole])
      const told = ((await admin.request('GET', '/api/notifications')).body['items'] as Json[]).filter(
        ({ kind }) => kind === 'backup.incomplete',
      )
      expect(told).to.have.length(1)
      expect(told[0]?.['text']).to.match(/^1 files and folders/)
      await rm(deep, { recursive: true })
      const mended = await make()
      expect(await ids()).to.deep.equal([mended])
    } finally {
      await kernel.stop()
    }
  })
})
