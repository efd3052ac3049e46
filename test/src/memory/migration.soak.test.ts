import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type Api, confirm, signIn, signUp } from '../support/api.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { writeKeptPlugins } from './support/kept-plugins.js'

const password = 'a long enough password'
const at = '/api/admin/memory/migration'

describe('the migration of memories in a running service', function () {
  this.timeout(180_000)
  let folder: string
  let service: ServiceProcess
  let ada: Api
  let bob: Api

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-migration-'))
    await mkdir(path.join(folder, 'plugins'))
    const plugins = await writeKeptPlugins(path.join(folder, 'plugins'))
    await mkdir(path.join(folder, 'data'))
    await writeFile(
      path.join(folder, 'data', 'config.yaml'),
      `memory:\n  backend: kept-a\nplugins:\n  sources: ${JSON.stringify(plugins)}\n`,
    )
    await start()
    ada = await signUp(service.url, 'ada')
    bob = await signUp(service.url, 'bob')
  })
  const enders: (() => void)[] = []
  after(async () => {
    for (const end of enders) end()
    await service?.kill()
    await removeFolder(folder)
  })

  const start = async (): Promise<void> => {
    service = await startServiceProcess({ folder, environment: { SERVICE_SERVER_SHUTDOWN_TIMEOUT_SECS: '5' } })
  }
  /** After a SIGKILL. */
  const startAgain = async (): Promise<void> => {
    await service.kill()
    await start()
    ada = await signIn(service.url, 'ada', password)
    bob = await signIn(service.url, 'bob', password)
  }
  interface State {
    readonly state: string
    readonly from: string
    readonly to: string
    readonly records: number
    readonly error: string | null
  }
  /** Undefined while the service restarts. */
  const stateOf = async (): Promise<State | null | undefined> => {
    const answer = await ada.request('GET', at).catch(() => undefined)
    return answer?.status === 200 ? (answer.body['migration'] as State | null) : undefined
  }
  const until = (...states: readonly string[]): Promise<State> =>
    eventually(
      async () => {
        const state = await stateOf()
        return state && states.includes(state.state) ? state : undefined
      },
      { within: 60_000, what: stateOf },
    )
  const textsOf = async (person: Api): Promise<readonly string[]> => {
    const texts: string[] = []
    let cursor = ''
    do {
      const { body } = await person.request('GET', `/api/memory?limit=200${cursor}`)
      for (const { text } of body['items'] as readonly { readonly text: string }[]) texts.push(text)
      cursor = typeof body['next_cursor'] === 'string' ? `&cursor=${encodeURIComponent(body['next_cursor'])}` : ''
    } while (cursor !== '')
    return texts.sort()
  }
  /** A person who has things remembered without a break; every one that was acknowledged counts. */
  const keepRemembering = (person: () => Api, name: string) => {
    let isOver = false
    enders.push(() => {
      isOver = true
    })
    const acknowledged: string[] = []
    const going = (async () => {
      for (let number = 0; !isOver; number += 1) {
        const text = `${name} said number ${number}.`
        // One that is refused or cut off may have been stored, and does not count.
        const answer = await person()
          .request('POST', '/api/memory', { text })
          .catch(() => undefined)
        if (answer?.status === 201) acknowledged.push(text)
        else await setTimeout(20)
        await setTimeout(5)
      }
    })()
    return {
      acknowledged,
      async stop() {
        isOver = true
        await going
      },
    }
  }
  const migrate = async (to: string): Promise<void> => {
    const begun = await ada.request('POST', at, { to })
    expect(begun.status, JSON.stringify(begun.body)).to.equal(202)
  }
  const setBackend = async (to: string): Promise<void> => {
    await confirm(ada)
    const answer = await fetch(`${service.url}/api/admin/config`, { headers: { authorization: `Bearer ${ada.token}` } })
    const saved = await fetch(`${service.url}/api/admin/config`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json', 'if-match': answer.headers.get('etag') ?? '' },
      body: JSON.stringify({ set: { 'memory.backend': to } }),
    })
    expect(saved.status, await saved.text()).to.equal(200)
  }

  it('loses nothing while people go on, over SIGKILLs, a restart in place, and the way back', async () => {
    for (let number = 0; number < 30; number += 1) await ada.request('POST', '/api/memory', { text: `Ada’s first ${number}.` })
    const forgotten = (await bob.request('POST', '/api/memory', { text: 'Bob will forget this.' })).body
    const bobs = keepRemembering(() => bob, 'Bob')
    await migrate('kept-b')
    await setTimeout(30)
    await startAgain()
    await until('ready')
    await startAgain()
    expect(await stateOf()).to.include({ state: 'ready', from: 'kept-a', to: 'kept-b' })
    expect((await bob.request('DELETE', `/api/memory/${String(forgotten['id'])}`)).status).to.equal(204)

    await setBackend('kept-b')
    expect((await ada.request('POST', '/api/admin/restart')).status).to.equal(202)
    await until('finishing', 'cleaning', 'done')
    await startAgain()
    await until('done')
    await setTimeout(50)
    await bobs.stop()
    expect((await ada.request('GET', '/api/memory/status')).body).to.include({ backend: 'kept-b', moving: false })
    expect(await textsOf(ada)).to.have.length(30)
    const kept = await textsOf(bob)
    expect(kept).to.include.members(bobs.acknowledged).and.not.include('Bob will forget this.')
    expect(bobs.acknowledged.length).to.be.greaterThan(5)

    const more = keepRemembering(() => bob, 'Later, Bob')
    await migrate('kept-a')
    await until('ready')
    await setBackend('kept-a')
    await ada.request('POST', '/api/admin/restart')
    const back = await until('done')
    expect(back).to.include({ from: 'kept-b', to: 'kept-a', error: null })
    await more.stop()
    expect(await textsOf(bob))
      .to.include.members([...bobs.acknowledged, ...more.acknowledged])
      .and.not.include('Bob will forget this.')
    expect(await textsOf(ada)).to.have.length(30)
    const exported = await fetch(`${service.url}/api/memory/export?format=ndjson`, { headers: { authorization: `Bearer ${bob.token}` } })
    expect(await exported.text()).to.contain('"forgotten":true')
  })

  it('is noted in the audit log, and can be given up', async () => {
    await migrate('kept-b')
    await until('ready')
    expect((await ada.request('DELETE', at)).status).to.equal(204)
    await eventually(async () => (await stateOf()) === null, { what: stateOf })
    const { body } = await ada.request('GET', '/api/admin/audit?limit=200')
    const kinds = (body['items'] as readonly { readonly kind: string }[]).map(({ kind }) => kind)
    expect(kinds).to.include.members(['memory.migration_started', 'memory.migration_finished', 'memory.migration_given_up'])
    expect(await textsOf(ada)).to.have.length(30)
  })
})
