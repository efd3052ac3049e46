import { chmod, mkdir, mkdtemp, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createControlledClock, createTestKernel, runCommandLine, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { until } from '../credentials/support/credentials-kernel.js'
import type { AuditEntry } from '../security/support/audit-entry.js'
import { createClient } from '../security/support/clients.js'

const password = 'planted-password-of-ada-4711'
const nextPassword = 'planted-next-password-4711'
const secret = 'planted-secret-of-a-setting-4711'
const encryptionSecret = 'planted-encryption-secret-4711'

describe('the audit log of the command line', function () {
  this.timeout(60_000)
  let folder: string
  let kernel: TestKernel | undefined

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-service-commands-')))
  })
  afterEach(async () => {
    await kernel?.stop()
    kernel = undefined
    await rm(folder, { recursive: true, force: true })
  })

  const environment = (more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
    ...{ PATH: process.env['PATH'] ?? '', HOME: folder, npm_config_offline: 'true', SERVICE_SERVER_DATA_DIR: path.join(folder, 'data') },
    ...{ SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone', AGENT_SERVICE_PASSWORD: password },
    ...more,
  })
  const command = async (words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<void> => {
    const result = await runCommandLine(words, { workingDirectory: folder, environment: environment(more) })
    expect(result.status, JSON.stringify(result)).to.equal(0)
  }
  const writePlugin = async (): Promise<string> => {
    const place = path.join(folder, 'author')
    const manifest = { id: 'tool-dice', apiVersion: 1, version: '1.0.0', description: 'Dice.', contributes: ['tool'], entry: './index.js' }
    await mkdir(path.join(place, 'dist'), { recursive: true })
    const about = { name: 'tool-dice', version: '1.0.0', type: 'module', files: ['dist'], agentService: { plugin: './dist/plugin.json' } }
    await writeFile(path.join(place, 'package.json'), JSON.stringify(about))
    await writeFile(path.join(place, 'dist/plugin.json'), JSON.stringify(manifest))
    await writeFile(path.join(place, 'dist/index.js'), 'export default {}')
    return place
  }
  const entries = async (signInWith: string): Promise<readonly AuditEntry[]> => {
    if (!kernel) throw new Error('No service runs.')
    const client = createClient(kernel.url)
    const ada = await client.signIn('ada', signInWith)
    const { json } = await client.send('GET', '/api/admin/audit?limit=200', { headers: ada.authorization })
    return (json['items'] as readonly AuditEntry[]).filter(({ source }) => source === 'command_line')
  }
  const pending = path.join('data', 'system', 'audit-pending')

  it('has every command that changes something, in order, without secrets, also over a restore', async () => {
    await command(['users', 'create', 'ada', '--role', 'admin'])
    await command(['users', 'reset-password', 'ada'], { AGENT_SERVICE_PASSWORD: nextPassword })
    await command(['config', 'set', 'voice.telephony_auth_token', secret])
    await command(['config', 'set', 'voice.telephony_auth_token', '${TELEPHONY}'], { TELEPHONY: secret })
    await command(['config', 'reset', 'voice.telephony_auth_token'])
    await command(['plugins', 'install', await writePlugin(), '--yes'])
    await command(['plugins', 'remove', 'tool-dice'])
    const rekeyed = { SERVICE_AUTH_ENCRYPTION_SECRET: encryptionSecret }
    await command(['rekey'], { AGENT_SERVICE_NEW_ENCRYPTION_SECRET: encryptionSecret })
    await command(['backup', 'copy'], rekeyed)
    await rename(path.join(folder, 'data', 'db'), path.join(folder, 'data', 'db.old'))
    await command(['restore', '--database-only', 'copy'], rekeyed)
    await command(['backup', 'second-copy'], rekeyed)

    kernel = await createTestKernel({ folder, environment: rekeyed })
    const found = [...(await entries(nextPassword))].reverse()
    expect(found.map(({ kind, operation }) => [kind, operation])).to.deep.equal([
      ['account.created', 'users create'],
      ['account.changed', 'users reset-password'],
      ['configuration.changed', 'config set'],
      ['configuration.changed', 'config set'],
      ['configuration.changed', 'config reset'],
      ['plugin.installed', 'plugins install'],
      ['plugin.granted', 'plugins install'],
      ['plugin.removed', 'plugins remove'],
      ['encryption_secret.changed', 'rekey'],
      ['backup.restored', 'restore'],
      ['backup.created', 'backup'],
    ])
    for (const entry of found)
      expect(entry).to.include({ actor_id: null, session_id: null, token_id: null, address: null, request_id: null })
    const name = 'voice.telephony_auth_token'
    const changes = found.filter(({ kind }) => kind === 'configuration.changed')
    expect(changes.map(({ before, after }) => [before?.[name], after?.[name]])).to.deep.equal([
      [null, 'set'],
      ['set', '${TELEPHONY}'],
      ['${TELEPHONY}', 'cleared'],
    ])
    const [installed, granted, removed] = found.filter(({ kind }) => kind.startsWith('plugin.'))
    expect(installed).to.deep.include({ subject_id: 'tool-dice', before: null })
    expect(installed?.after).to.include({ package: 'tool-dice', version: '1.0.0', granted: false })
    expect([granted?.before, granted?.after]).to.deep.equal([{ reaches: null }, { reaches: ['adds to tool'] }])
    expect([removed?.before?.['granted'], removed?.after]).to.deep.equal([true, null])
    expect(JSON.stringify(found)).to.not.contain('planted-')
    expect(await readdir(path.join(folder, pending))).to.deep.equal([])
  })

  it('records commands that run beside the service within a minute, once, and nothing that no command wrote', async () => {
    const clock = createControlledClock()
    kernel = await createTestKernel({ folder, clock })
    await createClient(kernel.url).signUp('ada', password)
    await command(['config', 'set', 'voice.telephony_auth_token', secret])
    const [left = ''] = await readdir(path.join(folder, pending))
    expect(left).to.match(/\.json$/)
    expect((await stat(path.join(folder, pending, left))).mode & 0o077).to.equal(0)
    const forged = path.join(folder, pending, '00000000-0000-7000-8000-000000000000.json')
    await writeFile(forged, JSON.stringify({ kind: 'policy.deleted', source: 'request', actor_id: 'somebody' }))
    await chmod(forged, 0o600)

    await clock.advance(61_000)
    const found = await until(
      () => entries(password),
      (taken) => taken.length > 0,
    )
    await until(
      () => readdir(path.join(folder, pending)),
      (names) => names.every((name) => name.endsWith('.refused')),
    )
    expect(found.map(({ kind }) => kind)).to.deep.equal(['configuration.changed'])
    expect(kernel.log.some(({ msg }) => msg === 'A pending entry for the audit log is not valid and was set aside.')).to.equal(true)
    await clock.advance(61_000)
    expect((await entries(password)).map(({ id }) => id)).to.deep.equal(found.map(({ id }) => id))
  })
})
