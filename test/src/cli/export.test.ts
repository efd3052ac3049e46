import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runCommandLine } from '@agent-service/kernel/testing'
import { databaseToken } from '@agent-service/kernel/testing/tokens'
import { defineCollection } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import diaryPlugin, { setDiary } from '../export/support/diary-plugin.js'
import { readZip } from '../export/support/read-zip.js'

/** Documents of a plugin that is not installed. */
const leftBehind = { name: 'garden.beds', version: 1, indexes: { by_user: { fields: ['user_id'] } }, userField: 'user_id' } as const

describe('agent-service export', () => {
  let folder: string
  let agents: AgentsKernel
  // Each with a service of its own: sign-ins from one address are limited.
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-export-command-'))
    const module = new URL('../export/support/diary-plugin.js', import.meta.url)
    agents = await startAgentsKernel({ plugins: [await writeTestPlugin(path.join(folder, 'diary'), diaryPlugin, module)] })
    await agents.person('ada')
  })
  afterEach(async () => {
    await agents?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const run = (file: string, password = 'a long enough password') =>
    runCommandLine(['export', file, '--url', agents.kernel.url, '--username', 'ada', '--json'], {
      workingDirectory: folder,
      environment: { AGENT_SERVICE_PASSWORD: password },
    })

  it('writes the archive to a file of its owner, and ends its session', async () => {
    setDiary(async function* () {
      yield { path: 'today.json', json: 'Rain.' }
    })
    const { status, output } = await run('ada.zip')
    expect(status, output).to.equal(0)
    const file = path.join(folder, 'ada.zip')
    const content = await readFile(file)
    expect(JSON.parse(output)).to.deep.equal({ path: file, bytes: content.byteLength, complete: true, raw: [] })
    expect((await stat(file)).mode & 0o777).to.equal(0o600)
    expect([...readZip(content).keys()]).to.include.members(['account.json', 'data/diary/today.json', 'manifest.json'])
    const ada = await agents.person('ada')
    expect((await ada.request('GET', '/api/auth/sessions')).body['items']).to.have.length(2)
  })

  it('ends with 1 if something is missing', async () => {
    setDiary(async function* () {
      yield* []
      throw new Error('broken')
    })
    const { status, output } = await run('half.zip')
    expect(status).to.equal(1)
    expect(output).to.include('"complete": false').and.include('Something is missing')
    expect(readZip(await readFile(path.join(folder, 'half.zip'))).has('INCOMPLETE.txt')).to.equal(true)
  })

  it('says what is as it is stored, since no running plugin answers for it', async () => {
    const { userId } = await agents.person('ada')
    const beds = defineCollection<{ readonly id: string; readonly user_id: string }>()(leftBehind)
    const database = await agents.kernel.container.resolve(databaseToken).openFor('garden', [beds], { thirdParty: true })
    await database.collection(beds).put({ id: 'north', user_id: userId })
    const { status, output } = await run('raw.zip')
    expect(status, 'the plugin may have kept more elsewhere').to.equal(1)
    expect(output).to.include('As stored').and.include('raw/garden/garden.beds.ndjson').and.include('Something is missing')
  })

  it('replaces no file, and leaves none behind when it is refused', async () => {
    await writeFile(path.join(folder, 'mine.txt'), 'mine')
    const taken = await run('mine.txt')
    expect([taken.status, await readFile(path.join(folder, 'mine.txt'), 'utf8')]).to.deep.equal([1, 'mine'])
    expect(taken.output).to.include('exists already')
    const refused = await run('refused.zip', 'not the password at all')
    expect(refused.status).to.equal(1)
    expect(await readdir(folder)).to.not.include('refused.zip')
  })
})
