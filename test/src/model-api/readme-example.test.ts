import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { says } from '../agents/support/scripted-plugin.js'
import { type OpenAiKernel, startOpenAiKernel } from './support/openai-kernel.js'

const readme = new URL('../../../plugins/feature-model-api/README.md', import.meta.url)
/** Below this folder, so that the example finds its package. */
const here = fileURLToPath(new URL('.', import.meta.url))

describe('the example in the README', () => {
  let openai: OpenAiKernel
  let folder: string

  before(async () => {
    openai = await startOpenAiKernel()
    folder = await mkdtemp(path.join(here, 'example-'))
  })
  after(async () => {
    await openai?.close()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  it('runs unchanged except for the address', async () => {
    const [, example = ''] = /```js\n(.*?)```/s.exec(await readFile(readme, 'utf8')) ?? []
    const address = 'http://localhost:3001'
    expect(example.split(address)).to.have.length(2)
    const file = path.join(folder, 'example.mjs')
    await writeFile(file, example.replace(address, openai.agents.kernel.url))
    openai.answer((request) => says(request.tools.length > 0 ? 'The agent ' : 'The model ', 'says hello.'))
    const environment = { ...process.env, SERVICE_TOKEN: await openai.tokenWith(['read', 'write', 'inference']) }
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env: environment, timeout: 20_000 })
    expect(stdout).to.equal('The model says hello.\nThe agent says hello.')
  })
})
