import { mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runCommandLine } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { removeFolder } from '../support/service-process.js'

const page = new URL('../../../kernel/docs/configuration.md', import.meta.url)
/** Where the page says that the service lives. */
const shownFolder = '/srv/agents'

interface Example {
  readonly command: string
  readonly output: string
}

describe('the examples in kernel/docs/configuration.md', () => {
  let text: string
  let folder: string

  before(async () => {
    text = await readFile(page, 'utf8')
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-service-examples-')))
    await mkdir(path.join(folder, 'data'))
    const [file = ''] = blocksOf(text, 'yaml')
    await writeFile(path.join(folder, 'data', 'config.yaml'), file)
  })
  after(() => removeFolder(folder))

  it('print what the page shows, one after the other, with the first file of the page', async () => {
    const examples = blocksOf(text, 'console').flatMap(examplesOf)
    expect(examples.map(({ command }) => command.split(' ').slice(0, 3).join(' '))).to.include.members([
      'agent-service config check',
      'agent-service config get',
      'agent-service config set',
      'agent-service config reset',
    ])
    for (const { command, output } of examples) {
      const result = await run(command)
      expect(result.replaceAll(folder, shownFolder), command).to.equal(output)
    }
  })

  async function run(command: string): Promise<string> {
    const words = command.split(' ')
    const start = words.indexOf('agent-service')
    const variables = Object.fromEntries(words.slice(0, start).map((word) => word.split('=') as [string, string]))
    const environment = { ENCRYPTION_SECRET: 'a secret for tests alone', GROQ_API_KEY: 'a key for tests alone', ...variables }
    return (await runCommandLine(words.slice(start + 1), { workingDirectory: folder, environment })).output
  }
})

/** The fenced blocks of a language, in order. */
const blocksOf = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1] ?? '')

/** Commands after \`$ \`, each with the lines up to the next. */
function examplesOf(block: string): readonly Example[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...lines] = part.split('\n')
      return { command, output: lines.join('\n') }
    })
}
