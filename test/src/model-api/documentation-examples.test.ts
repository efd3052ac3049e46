import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type ClientsKernel, startClientsKernel } from './clients/support/clients-kernel.js'

const run = promisify(execFile)
const page = new URL('../../../kernel/docs/model-api.md', import.meta.url)
const workspace = new URL('../../package.json', import.meta.url)
/** Below this folder, so that the examples find their package. */
const here = fileURLToPath(new URL('.', import.meta.url))
const address = 'http://localhost:3001'

describe('the examples in kernel/docs/model-api.md', () => {
  let service: ClientsKernel
  let folder: string
  let text: string

  before(async () => {
    service = await startClientsKernel()
    folder = await mkdtemp(path.join(here, 'example-'))
    text = await readFile(page, 'utf8')
  })
  after(async () => {
    await service?.close()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  for (const name of ['first-steps.mjs', 'embeddings.mjs', 'errors.mjs', 'once.mjs'])
    it(`print what the page shows: ${name}`, async () => {
      const pattern = new RegExp(`\`\`\`js file=${name}\n(.*?)\`\`\`\n\n\`\`\`text\n(.*?)\`\`\``, 's')
      const [, example = '', output] = pattern.exec(text) ?? []
      expect(example.split(address)).to.have.length(2)
      const file = path.join(folder, name)
      await writeFile(file, example.replace(address, service.kernel.url))
      service.upstream.script(() => ({ text: 'Good morning to you.' }))
      const environment = { ...process.env, SERVICE_TOKEN: service.apiKey }
      const { stdout } = await run(process.execPath, [file], { env: environment, timeout: 20_000 })
      expect(stdout).to.equal(output)
      if (name === 'once.mjs') expect(service.upstream.requests).to.have.length(1)
    })

  it('show an error as it is answered', async () => {
    const [, shown = ''] = /```json\n(.*?)```/s.exec(text) ?? []
    const answer = await fetch(`${service.baseURL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'primary', messages: [{ role: 'user', content: 'Hi' }], temperature: 9 }),
    })
    expect(await answer.json()).to.deep.include(JSON.parse(shown) as object)
  })

  it('are all run', () => {
    expect(text.match(/```js file/g)).to.have.length(4)
  })

  it('stand beside the versions of the clients that are tested', async () => {
    const { devDependencies } = JSON.parse(await readFile(workspace, 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>>
    }
    const shown = [...text.matchAll(/`([@a-z/-]+)` (\d+\.\d+\.\d+)/g)].map(([, name, version]) => [name, version])
    expect(shown).to.have.length(6)
    for (const [name = '', version] of shown) expect(devDependencies[name], name).to.equal(version)
  })
})
