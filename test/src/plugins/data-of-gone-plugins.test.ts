import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, runCommandLine, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, confirm, signIn, signUp } from '../support/api.js'
import { fewPlugins } from '../support/few-plugins.js'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { writeGarden } from './support/garden-plugin.js'

const password = 'a long enough password'

/** The folder of a deployment and its third parties. */
async function temporaryFolder(): Promise<string> {
  return realpath(await mkdtemp(path.join(tmpdir(), 'agent-service-gone-')))
}

/** A module that kills the service when it is about to remove a file below a folder. */
async function killerAt(folder: string, place: string): Promise<string> {
  const file = path.join(folder, 'killer.mjs')
  await writeFile(
    file,
    `import fs from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    const { unlink } = fs
    fs.unlink = async (name) => {
      if (String(name).includes(${JSON.stringify(place)})) process.kill(process.pid, 'SIGKILL')
      return unlink(name)
    }
    syncBuiltinESMExports()`,
  )
  return file
}

describe('the data of a plugin that is gone', function () {
  this.timeout(60_000)
  let folder: string
  let kernel: TestKernel | undefined
  let service: ServiceProcess | undefined

  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(async () => {
    await stop()
    await service?.kill()
    service = undefined
    await rm(folder, { recursive: true, force: true })
  })

  const stop = async (): Promise<void> => {
    await kernel?.stop()
    kernel = undefined
  }
  const start = async (...plugins: readonly string[]): Promise<Api> => {
    await stop()
    kernel = await createTestKernel({ folder, plugins, environment: fewPlugins() })
    const admin = await signUp(kernel.url, 'ada')
    await confirm(admin)
    return admin
  }
  const listed = async (admin: Api) => (await admin.request('GET', '/api/admin/plugins/data')).body['items'] as Record<string, unknown>[]
  const kindsOf = async (admin: Api): Promise<string[]> => {
    const { body } = await admin.request('GET', '/api/admin/audit?limit=100')
    return (body['items'] as { kind: string }[]).map(({ kind }) => kind).filter((kind) => kind.startsWith('plugin_data.'))
  }
  const garden = {
    id: 'garden',
    version: '1.0.0',
    third_party: true,
    state: 'gone',
    reason: 'no installed plugin has this id',
    deletable: true,
    decision: null,
    collections: [
      { name: 'garden.notes', documents: 3, of_users: true, left_behind: false },
      { name: 'garden.beds', documents: 1, of_users: false, left_behind: false },
    ],
    folders: ['garden'],
    cache: true,
  }

  it('is shown with counts, and nothing happens to it by itself', async () => {
    const plugin = await writeGarden(folder, { id: 'garden' })
    expect(await listed(await start(plugin))).to.deep.equal([])
    expect(await listed(await start())).to.deep.equal([garden])
    const admin = await start()
    expect((await admin.request('POST', '/api/admin/plugins/garden/data/keep')).status).to.equal(204)
    expect((await admin.request('POST', '/api/admin/plugins/garden/data/keep')).status).to.equal(204)
    expect(await listed(admin)).to.deep.equal([{ ...garden, decision: 'keep' }])
    expect(await kindsOf(admin)).to.deep.equal(['plugin_data.kept'])
    const again = await start(await writeGarden(folder, { id: 'garden', plants: false }))
    const { body } = await again.request('GET', '/api/plugins/garden/garden')
    expect(body['notes']).to.have.length(3)
  })

  it('is shown where a newer version left a collection behind', async () => {
    await start(await writeGarden(folder, { id: 'garden' }))
    const admin = await start(await writeGarden(folder, { id: 'garden', version: '2.0.0', withBeds: false }))
    expect(await listed(admin)).to.deep.equal([
      {
        ...garden,
        ...{ version: '2.0.0', state: 'active', reason: null, deletable: false, folders: [], cache: false },
        collections: [{ name: 'garden.beds', documents: 1, of_users: false, left_behind: true }],
      },
    ])
    const refused = await admin.request('DELETE', '/api/admin/plugins/garden/data')
    expect([refused.status, refused.body['code']]).to.deep.equal([409, 'plugin_data_in_use'])
    expect(String(refused.body['detail'])).to.contain('agent-service plugins data delete garden --left-behind')
    const run = (...args: readonly string[]) =>
      runCommandLine(['plugins', 'data', ...args, '--url', admin.url, '--username', 'ada'], {
        workingDirectory: folder,
        environment: { AGENT_SERVICE_PASSWORD: password, HOME: folder },
      })
    expect((await run()).output).to.match(/garden +active, left behind +garden\.beds +1/)
    const unanswered = await run('delete', 'garden', '--left-behind')
    expect(unanswered.status).to.not.equal(0)
    expect(unanswered.output).to.contain('garden.beds: 1 documents').and.to.not.contain('its cache')
    const deleted = await run('delete', 'garden', '--left-behind', '--yes')
    expect([deleted.status, deleted.output]).to.deep.equal([0, 'What garden had left behind was deleted.\n'])
    expect(await listed(admin)).to.deep.equal([])
    expect(await kindsOf(admin)).to.deep.equal(['plugin_data.deleted', 'plugin_data.deletion_begun'])
    // The plugin goes on with the rest.
    expect((await admin.request('GET', '/api/plugins/garden/garden')).body).to.deep.include({ hasPlan: true })
    const nothing = await admin.request('DELETE', '/api/admin/plugins/garden/data?left_behind=true')
    expect([nothing.status, nothing.body['code']]).to.deep.equal([404, 'plugin_data_unknown'])
    expect(String(nothing.body['detail'])).to.contain('has left no collection behind')
  })

  it('is deleted with everything that has its name, and a plugin of this name begins anew', async () => {
    const plugin = await writeGarden(folder, { id: 'garden' })
    await start(plugin)
    const admin = await start()
    const { status, body } = await admin.request('DELETE', '/api/admin/plugins/garden/data')
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body).to.deep.equal({
      id: 'garden',
      collections: [
        { name: 'garden.notes', documents: 3 },
        { name: 'garden.beds', documents: 1 },
      ],
      folders: ['garden'],
    })
    expect(await listed(admin)).to.deep.equal([])
    expect(await kindsOf(admin)).to.deep.equal(['plugin_data.deleted', 'plugin_data.deletion_begun'])
    expect(await readdir(path.join(folder, 'data', 'users', 'ada'))).to.not.include('garden')
    const absent = await admin.request('DELETE', '/api/admin/plugins/garden/data')
    expect([absent.status, absent.body['code']]).to.deep.equal([404, 'plugin_data_unknown'])

    const again = await start(await writeGarden(folder, { id: 'garden', plants: false }))
    const { body: anew } = await again.request('GET', '/api/plugins/garden/garden')
    expect(anew).to.deep.equal({ notes: [], hasPlan: false, weather: null, gaps: 0 })
  })

  it('is deleted of a plugin that is switched off, not of one that runs, and only once it is you', async () => {
    const plugin = await writeGarden(folder, { id: 'garden' })
    const admin = await start(plugin)
    const refused = await admin.request('DELETE', '/api/admin/plugins/garden/data')
    expect([refused.status, refused.body['code']]).to.deep.equal([409, 'plugin_data_in_use'])
    expect(String(refused.body['detail'])).to.contain('agent-service plugins disable garden')
    expect((await admin.request('POST', '/api/admin/plugins/garden/disable')).status).to.equal(200)
    expect(await listed(admin)).to.deep.equal([{ ...garden, state: 'disabled', reason: 'disabled by an administrator' }])
    const unconfirmed = await signIn(admin.url, 'ada', password)
    expect((await unconfirmed.request('DELETE', '/api/admin/plugins/garden/data')).body['code']).to.equal('confirmation_required')
    expect((await admin.request('DELETE', '/api/admin/plugins/garden/data')).status).to.equal(200)
    const enabled = await admin.request('POST', '/api/admin/plugins/garden/enable')
    expect(enabled.body['state'], JSON.stringify(enabled.body)).to.equal('active')
  })

  it('is named by doctor and by the health of the service until it is kept or deleted', async () => {
    await start(await writeGarden(folder, { id: 'garden' }))
    const line = /garden is not installed, and its data of users stays \(garden.notes, the folder garden\): .*plugins data keep garden/
    const admin = await start()
    const textsOf = async (): Promise<string> => JSON.stringify((await admin.request('POST', '/api/admin/health/checks')).body)
    expect(await textsOf()).to.match(line)
    await stop()
    const environment = { ...fewPlugins(), SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone', HOME: folder }
    const examine = () =>
      runCommandLine(['doctor'], {
        workingDirectory: folder,
        environment: { ...environment, SERVICE_SERVER_DATA_DIR: path.join(folder, 'data') },
      })
    const examined = await examine()
    expect([examined.status, examined.output]).to.deep.include(0)
    expect(examined.output).to.match(line)
    const again = await start()
    await again.request('POST', '/api/admin/plugins/garden/data/keep')
    expect(JSON.stringify((await again.request('POST', '/api/admin/health/checks')).body)).to.not.match(line)
    await stop()
    expect((await examine()).output).to.not.match(line)
  })

  it('is not surely gone while a source cannot be read: it is deleted only with a confirmation of its own', async () => {
    await start(await writeGarden(folder, { id: 'garden' }))
    const misspelt = path.join(folder, 'gardn')
    const reason = new RegExp(
      `“${misspelt}” \\(${misspelt}/package.json is missing\\)\\. Mend or remove that entry, then restart the service`,
    )
    await stop()
    const { output: examined } = await runCommandLine(['doctor'], {
      workingDirectory: folder,
      environment: {
        ...{ ...fewPlugins(), SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone', HOME: folder },
        ...{ SERVICE_SERVER_DATA_DIR: path.join(folder, 'data'), SERVICE_PLUGINS_SOURCES: JSON.stringify([misspelt]) },
      },
    })
    const admin = await start(misspelt)
    const [item] = await listed(admin)
    expect(item).to.deep.equal({ ...garden, state: 'unknown', reason: item?.['reason'] })
    expect(item?.['reason']).to.match(reason)
    const line = new RegExp(
      `garden does not run, and its data of users stays \\(garden.notes, the folder garden\\): it may be installed.*${misspelt}`,
    )
    expect(JSON.stringify((await admin.request('POST', '/api/admin/health/checks')).body)).to.match(line)
    expect(examined).to.match(line)
    const refused = await admin.request('DELETE', '/api/admin/plugins/garden/data')
    expect([refused.status, refused.body['code']]).to.deep.equal([409, 'plugin_may_be_installed'])
    expect(refused.body['detail']).to.match(reason)
    const run = (...args: readonly string[]) =>
      runCommandLine(['plugins', 'data', ...args, '--url', admin.url, '--username', 'ada'], {
        workingDirectory: folder,
        environment: { AGENT_SERVICE_PASSWORD: password, HOME: folder },
      })
    expect((await run()).output)
      .to.match(/garden +unknown +garden\.notes +3 +users/)
      .and.to.match(reason)
    const unconfirmed = await run('delete', 'garden', '--yes')
    expect(unconfirmed.status).to.not.equal(0)
    expect(unconfirmed.output).to.match(reason).and.to.contain('--despite-unread-sources')
    expect((await listed(admin)).length).to.equal(1)
    const deleted = await run('delete', 'garden', '--yes', '--despite-unread-sources')
    expect([deleted.status, deleted.output]).to.deep.equal([0, 'The data of garden was deleted.\n'])
    expect(await listed(admin)).to.deep.equal([])
  })

  describe('by commands', () => {
    /** Runs a command as a program with a token, which need not sign in, or as the person: a deletion takes one who has signed in. */
    const commandsOf = async (admin: Api) => {
      const { body } = await admin.request('POST', '/api/auth/tokens', { name: 'commands', scopes: ['read', 'write', 'admin'] })
      const runAs = (environment: Readonly<Record<string, string>>, args: readonly string[]) =>
        runCommandLine(['plugins', 'data', ...args, '--url', admin.url], {
          workingDirectory: folder,
          environment: { ...environment, HOME: folder },
        })
      return {
        run: (...args: readonly string[]) => runAs({ AGENT_SERVICE_TOKEN: String(body['token']) }, args),
        runSignedIn: (...args: readonly string[]) => runAs({ AGENT_SERVICE_USERNAME: 'ada', AGENT_SERVICE_PASSWORD: password }, args),
      }
    }

    it('is listed, kept and deleted', async () => {
      await start(await writeGarden(folder, { id: 'garden' }))
      const { run, runSignedIn } = await commandsOf(await start())
      const shown = await run()
      expect([shown.status, shown.output]).to.deep.include(0)
      expect(shown.output).to.match(/garden +gone +garden\.notes +3 +users/)
      expect(JSON.parse((await run('list', '--json')).output)).to.deep.equal({ items: [garden] })
      const unanswered = await run('delete', 'garden')
      expect(unanswered.status).to.not.equal(0)
      expect(unanswered.output).to.contain('garden.notes: 3 documents').and.to.contain('--yes')
      expect((await run('keep', 'garden')).output).to.contain('stays')
      const deleted = await runSignedIn('delete', 'garden', '--yes')
      expect([deleted.status, deleted.output]).to.deep.equal([0, 'The data of garden was deleted.\n'])
    })

    it('is not there to be listed or deleted where nothing is stored', async () => {
      const { run, runSignedIn } = await commandsOf(await start())
      const absent = await runSignedIn('delete', 'garden', '--yes')
      expect(absent.output).to.contain('Nothing is stored of a plugin “garden”')
      expect(JSON.parse((await run('list', '--json')).output)).to.deep.equal({ items: [] })
    })
  })

  it('is deleted to the end after the service was killed in between', async () => {
    const environment = fewPlugins()
    const plugin = await writeGarden(folder, { id: 'garden' })
    await start(plugin)
    await stop()
    const killer = await killerAt(folder, path.join('users', 'ada', 'garden'))
    service = await startServiceProcess({
      folder,
      environment: { ...environment, NODE_OPTIONS: `--import=${killer}` },
    })
    const admin = await signIn(service.url, 'ada', password)
    await confirm(admin)
    const lost = await admin.request('DELETE', '/api/admin/plugins/garden/data').catch((error: unknown) => error)
    expect(lost).to.be.instanceOf(Error)
    await service.kill()
    service = undefined
    // The plugin is there again: its start waits until the deletion is complete.
    const again = await start(await writeGarden(folder, { id: 'garden', plants: false }))
    expect((await again.request('GET', '/api/plugins/garden/garden')).body).to.deep.equal({
      notes: [],
      hasPlan: false,
      weather: null,
      gaps: 0,
    })
    expect(await kindsOf(again)).to.deep.equal(['plugin_data.deleted', 'plugin_data.deletion_begun'])
  })
})

describe('a plugin that has another id now', function () {
  this.timeout(60_000)
  let folder: string
  let kernel: TestKernel | undefined
  let service: ServiceProcess | undefined

  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(async () => {
    await kernel?.stop()
    kernel = undefined
    await service?.kill()
    service = undefined
    await rm(folder, { recursive: true, force: true })
  })

  const stop = async (): Promise<void> => {
    await kernel?.stop()
    kernel = undefined
  }
  const start = async (...plugins: readonly string[]): Promise<Api> => {
    await stop()
    kernel = await createTestKernel({ folder, plugins, environment: fewPlugins() })
    return signUp(kernel.url, 'ada')
  }
  const stateOf = (id: string) => kernel?.plugins.report().find((plugin) => plugin.id === id)
  const orchard = { id: 'orchard', prefix: 'garden', renamedFrom: ['garden'], plants: false }
  const handedOver = async (admin: Api): Promise<unknown[]> => {
    const { body } = await admin.request('GET', '/api/admin/audit?kind=plugin_data.handed_over')
    return (body['items'] as { subject_id: string; details: unknown }[]).map(({ subject_id, details }) => ({ subject_id, details }))
  }
  const all = {
    notes: [1, 2, 3].map((n) => ({ token: `secret ${n}`, seal: `sealed ${n}` })),
    hasPlan: true,
    weather: null,
    gaps: 1,
  }

  it('has all that was stored under the old one, but for the cache and events that waited', async () => {
    await start(await writeGarden(folder, { id: 'garden' }))
    const admin = await start(await writeGarden(folder, orchard))
    expect(stateOf('orchard')).to.include({ state: 'active', reason: null })
    expect((await admin.request('GET', '/api/plugins/orchard/garden')).body).to.deep.equal(all)
    expect((await admin.request('GET', '/api/admin/plugins/data')).body['items']).to.deep.equal([])
    const details = { from: 'garden', collections: ['garden.notes', 'garden.beds'], folders: ['garden'] }
    expect(await handedOver(admin)).to.deep.equal([{ subject_id: 'orchard', details }])
    // Once: the next start hands nothing over.
    const again = await start(await writeGarden(folder, orchard))
    expect((await again.request('GET', '/api/plugins/orchard/garden')).body).to.deep.include({ notes: all.notes })
    expect(await handedOver(again)).to.have.length(1)
  })

  it('waits with the data while a source cannot be read, in which the old one may be', async () => {
    const old = await writeGarden(folder, { id: 'garden' })
    await start(old)
    const successor = await writeGarden(folder, orchard)
    const misspelt = path.join(folder, 'gardn')
    const admin = await start(successor, misspelt)
    expect(stateOf('orchard')).to.include({ state: 'failed' })
    expect(stateOf('orchard')?.reason).to.match(
      /“orchard” cannot take over the data of plugin “garden”.*“garden” may still be installed.*gardn” \(.*gardn\/package.json is missing\)\. Mend or remove that entry, then restart/,
    )
    expect(await handedOver(admin)).to.deep.equal([])
    // The old one has everything still.
    const again = await start(old)
    expect((await again.request('GET', '/api/plugins/garden/garden')).body).to.deep.include({ notes: all.notes, hasPlan: true })
    // With every source read, it is gone for sure.
    const mended = await start(successor)
    expect((await mended.request('GET', '/api/plugins/orchard/garden')).body).to.deep.include({ notes: all.notes, hasPlan: true })
    // Once it has taken over, a source that cannot be read does not keep it from running.
    await start(successor, misspelt)
    expect(stateOf('orchard')).to.include({ state: 'active' })
  })

  it('runs while a source cannot be read where nothing is stored under the old one', async () => {
    await start(await writeGarden(folder, orchard), path.join(folder, 'gardn'))
    expect(stateOf('orchard')).to.include({ state: 'active', reason: null })
  })

  it('takes nothing over from a plugin that is installed and does not run', async () => {
    const old = await writeGarden(folder, { id: 'garden' })
    await start(old)
    const successor = await writeGarden(folder, orchard)
    await writeFile(path.join(old, 'plugin.json'), JSON.stringify({ id: 'garden', version: '1.0.0', colour: 'red' }))
    await start(old, successor)
    expect([stateOf('garden')?.state, stateOf('orchard')?.state]).to.deep.equal(['invalid', 'failed'])
    expect(stateOf('orchard')?.reason).to.contain('that plugin is still installed')
  })

  it('does not start beside the plugin with the old one, which goes on', async () => {
    const old = await writeGarden(folder, { id: 'garden' })
    await start(old)
    const admin = await start(old, await writeGarden(folder, orchard))
    expect(stateOf('garden')).to.include({ state: 'active', reason: null })
    expect(stateOf('orchard')).to.include({ state: 'failed' })
    expect(stateOf('orchard')?.reason).to.match(
      /“orchard” cannot take over the data of plugin “garden”.*still installed \(.*garden.*\).*Remove it/,
    )
    expect((await admin.request('GET', '/api/plugins/garden/garden')).body).to.deep.include({ notes: all.notes })
  })

  it('keeps it where a second plugin names the old one too, and that fails alone', async () => {
    await start(await writeGarden(folder, { id: 'garden' }))
    const first = await writeGarden(folder, orchard)
    await start(first)
    const second = await writeGarden(folder, { ...orchard, id: 'allotment' })
    const admin = await start(first, second)
    expect(stateOf('orchard')).to.include({ state: 'active', reason: null })
    expect(stateOf('allotment')).to.include({ state: 'failed' })
    expect(stateOf('allotment')?.reason).to.match(/plugin “allotment” cannot take over.*plugin “orchard” has already taken it over/)
    expect((await admin.request('GET', '/api/plugins/orchard/garden')).body).to.deep.include({ notes: all.notes })
    // A third name takes over both.
    const third = await start(await writeGarden(folder, { ...orchard, id: 'park', renamedFrom: ['orchard', 'garden'] }))
    expect((await third.request('GET', '/api/plugins/park/garden')).body).to.deep.include({ notes: all.notes, hasPlan: true })
  })

  it('takes over what was stored two ids ago where the one in between never ran', async () => {
    await start(await writeGarden(folder, { id: 'garden' }))
    const admin = await start(await writeGarden(folder, { ...orchard, id: 'park', renamedFrom: ['orchard', 'garden'] }))
    expect(stateOf('park')).to.include({ state: 'active', reason: null })
    expect((await admin.request('GET', '/api/plugins/park/garden')).body).to.deep.include({ notes: all.notes, hasPlan: true })
    // The one in between comes late, and finds its data taken.
    const late = await start(
      await writeGarden(folder, { ...orchard, id: 'park', version: '2.0.0', renamedFrom: ['garden'] }),
      await writeGarden(folder, orchard),
    )
    expect(stateOf('orchard')?.state).to.equal('failed')
    expect(stateOf('orchard')?.reason).to.contain('plugin “park” has already taken it over')
    expect((await late.request('GET', '/api/plugins/park/garden')).body).to.deep.include({ notes: all.notes, hasPlan: true })
  })

  it('does not start where two plugins change their ids with each other, and neither loses anything', async () => {
    await start(await writeGarden(folder, { id: 'garden' }), await writeGarden(folder, { id: 'orchard' }))
    const swapped = [
      await writeGarden(folder, { id: 'garden', prefix: 'orchard', renamedFrom: ['orchard'], version: '2.0.0', plants: false }),
      await writeGarden(folder, { id: 'orchard', prefix: 'garden', renamedFrom: ['garden'], version: '2.0.0', plants: false }),
    ]
    const admin = await start(...swapped)
    for (const id of ['garden', 'orchard']) {
      expect(stateOf(id)?.state).to.equal('failed')
      expect(stateOf(id)?.reason).to.contain('that plugin is still installed')
    }
    expect(await handedOver(admin)).to.deep.equal([])
    const again = await start(
      await writeGarden(folder, { id: 'garden', plants: false }),
      await writeGarden(folder, { id: 'orchard', plants: false }),
    )
    for (const id of ['garden', 'orchard'])
      expect((await again.request('GET', `/api/plugins/${id}/garden`)).body).to.deep.include({ notes: all.notes, hasPlan: true })
  })

  it('may not name a built-in plugin', async () => {
    await start(await writeGarden(folder, { id: 'orchard', renamedFrom: ['feature-agents'] }))
    expect(stateOf('orchard')).to.include({ state: 'invalid' })
    expect(stateOf('orchard')?.reason).to.contain('“renamedFrom” lists “feature-agents”, which is kept for a built-in plugin')
    await start(await writeGarden(folder, { id: 'orchard', version: '2.0.0', renamedFrom: ['agents'] }))
    expect(stateOf('orchard')).to.include({ state: 'invalid' })
  })

  it('has everything after the service was killed in between', async () => {
    await start(await writeGarden(folder, { id: 'garden' }))
    await stop()
    const plugin = await writeGarden(folder, orchard)
    const killer = await killerAt(folder, 'weather.json')
    const killed = await startServiceProcess({
      folder,
      environment: { ...fewPlugins(), SERVICE_PLUGINS_SOURCES: JSON.stringify([plugin]), NODE_OPTIONS: `--import=${killer}` },
    }).catch((error: Error) => error)
    expect(killed).to.be.instanceOf(Error)
    expect(String(killed)).to.contain('SIGKILL')
    const admin = await start(plugin)
    expect((await admin.request('GET', '/api/plugins/orchard/garden')).body).to.deep.equal(all)
    expect((await admin.request('GET', '/api/admin/plugins/data')).body['items']).to.deep.equal([])
  })
})
