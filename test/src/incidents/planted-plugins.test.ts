import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { type RulesFolder, writeRulesFolder } from '../configuration/support/rules-folder.js'
import { startWorkingService, type WorkingService } from '../sandbox/support/working-service.js'
import type { Turn } from '../sandbox/support/working-upstream.js'
import { runCommand } from '../support/command.js'

const id = 'tool-evil'
const files = ['package.json', 'plugin.json', 'index.js', 'rules.js'] as const

/** Hermes #43719: a plugin that was written into the data folder ran at the next start. */
describe('a plugin that an agent or a person has written', function () {
  this.timeout(90_000)
  let service: WorkingService
  /** Outside of what anyone writes to. */
  let source: RulesFolder
  let texts: ReadonlyMap<string, string>

  const shell = (command: string): Turn => ({ tool: 'shell', arguments: { command, timeout_seconds: 60 } })
  /** The agent does all that it can: in its workspace, and in every folder of the service that it can name. */
  function plant(results: readonly string[]): Turn {
    const written = files
      .map((name) => `printf %s '${Buffer.from(texts.get(name) ?? '').toString('base64')}' | base64 -d > "$1/${name}"`)
      .join('; ')
    const here = ['plugins', 'node_modules', '.agent-service/plugins', '.'].map((folder) => `put ${folder}/${id}`).join('; ')
    const data = path.join(service.folder, 'data')
    const beyond = [
      data,
      `${data}/plugins`,
      `${data}/system`,
      `${data}-plugins/${id}/node_modules`,
      `${data}/users/ada/skills/own`,
      service.folder,
    ]
    const steps: readonly Turn[] = [
      shell(`put() { mkdir -p "$1" && { ${written}; }; }; ${here}; echo "plugins: { sources: [$PWD/${id}] }" > config.yaml; ls ${id}`),
      shell(
        `put() { mkdir -p "$1" && { ${written}; }; }; ${beyond.map((folder) => `put ${folder}/${id}`).join('; ')}; echo x >> ${data}/config.yaml; true`,
      ),
      { tool: 'write_file', arguments: { path: `plugins/by-tool/${id}/index.js`, content: texts.get('index.js') ?? '' } },
    ]
    return steps[results.length] ?? 'It is planted.'
  }

  before(async () => {
    service = await startWorkingService({ plant }, ['shell', 'write_file'])
    source = await writeRulesFolder(path.join(service.folder, 'outside'), id)
    texts = new Map(await Promise.all(files.map(async (name) => [name, await readFile(path.join(source.folder, name), 'utf8')] as const)))
  })
  after(() => service?.close())

  const configurationFile = (): string => path.join(service.folder, 'data', 'config.yaml')
  const configurationText = (): Promise<string> => readFile(configurationFile(), 'utf8')
  /** The markers that the code of the plugin leaves beside itself. */
  const ranIn = async (folder: string): Promise<readonly string[]> =>
    (await readdir(folder, { recursive: true })).filter((name) => ['loaded', 'ran'].includes(path.basename(name)))
  const put = (file: string, body: string) =>
    fetch(`${service.ada.url}/api/files/content?path=${encodeURIComponent(file)}`, {
      ...{ method: 'PUT', body },
      headers: { authorization: `Bearer ${service.ada.token}`, 'content-type': 'application/octet-stream' },
    })

  it('is in every place to which they can write', async () => {
    const before = await configurationText()
    const results = await service.resultsOf('plant')
    if (service.confines) expect(results[0]).to.match(/^Exit code 0 /)
    else expect(results[0]).to.match(/^Code cannot run here because nothing would confine it/)
    expect(results[2]).to.include('Made ')
    // Nothing of what it did beyond its workspace is there.
    const made = (await readdir(service.folder, { recursive: true })).filter((name) => name.includes(`${id}/index.js`))
    expect(made).to.include(`data/users/ada/workspaces/assistant/plugins/by-tool/${id}/index.js`)
    expect(made.filter((name) => !/^(data\/users\/ada\/workspaces\/assistant|outside)\//.test(name))).to.deep.equal([])
    expect(await configurationText()).to.equal(before)
    for (const [name, text] of texts)
      for (const folder of [`files/${id}`, `files/node_modules/${id}`, `workspaces/assistant/by-api/${id}`, `workspaces/plugins/${id}`])
        expect((await put(`${folder}/${name}`, text)).status, folder).to.be.within(200, 201)
    for (const folder of ['', '..', '../..', 'skills', 'plugins', 'system'].map((each) => `${each}/${id}/index.js`))
      expect((await put(folder, 'x')).status, folder).to.equal(422)
    const skill = `---\nname: ${id}\ndescription: Brings a plugin.\n---\n`
    const content = (text: string): string => Buffer.from(text).toString('base64')
    const brought = [
      { path: 'SKILL.md', content: content(skill) },
      ...[...texts].map(([name, text]) => ({ path: name, content: content(text) })),
    ]
    for (const prefix of ['/api/skills', '/api/admin/skills'])
      expect((await service.ada.request('POST', `${prefix}/install`, { files: brought })).status).to.equal(201)
    // As if another fault had let them write there: whatever is below the data folder is data.
    const data = path.join(service.folder, 'data')
    for (const folder of ['plugins', 'system/plugins', 'node_modules', 'users/ada/plugins', 'system', '.'])
      await cp(source.folder, path.join(data, folder, id), { recursive: true })
    await mkdir(path.join(service.folder, 'data-plugins', id, 'node_modules'), { recursive: true })
    await cp(source.folder, path.join(service.folder, 'data-plugins', id, 'node_modules', id), { recursive: true })
  })

  it('is not loaded at the next start, by no command, and cannot be switched on', async () => {
    await service.kill()
    await service.restart()
    const { body } = await service.ada.request('GET', '/api/admin/plugins?limit=200')
    const known = (body['items'] as readonly { readonly id: string }[]).map((plugin) => plugin.id)
    expect(known).to.include('feature-agents').and.not.include(id)
    expect((await service.ada.request('POST', '/api/auth/confirm', { password: 'a long enough password' })).status).to.equal(200)
    expect((await service.ada.request('POST', `/api/admin/plugins/${id}/enable`)).status).to.equal(404)
    await service.kill()
    await Promise.all(
      [['doctor'], ['plugins', 'list', '--offline']].map(async (words) => {
        const command = runCommand(service.folder, words, { SERVICE_SERVER_DATA_DIR: path.join(service.folder, 'data') })
        await command.ended
        expect(command.output()).to.not.include(id)
      }),
    )
    expect(await ranIn(service.folder)).to.deep.equal([])
  })

  it('would be, had the operator named its folder outside of the data', async () => {
    await writeFile(configurationFile(), `${await configurationText()}plugins:\n  sources: ['${source.folder}']\n`)
    await service.restart()
    expect(await ranIn(service.folder)).to.have.members([`outside/${id}/loaded`, `outside/${id}/ran`])
  })
})
