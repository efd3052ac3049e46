import { execFile } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { writePlugin } from './support/written-plugin.js'

const program = (file: string): string => fileURLToPath(new URL(`../../../${file}`, import.meta.url))
const validating: Readonly<Record<string, readonly string[]>> = {
  'agent-service-plugin validate': [program('sdk/bin/agent-service-plugin.mjs'), 'validate'],
  'agent-service plugins validate': [program('kernel/cli/bin/agent-service.mjs'), 'plugins', 'validate'],
}

interface Ended {
  readonly status: number | string | null | undefined
  readonly lines: readonly string[]
}

/** Errors that no caller gets, and texts that a terminal would carry out. */
describe('what escapes from a plugin that is validated', function () {
  this.timeout(60_000)
  let folder: string
  before(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'escaping-errors-')))
    await writePlugin(path.join(folder, 'plugin'), {
      manifest: { id: 'tool-escape' },
      setup: `
        void Promise.reject(new Error('\\u001b[31mred\\nand a second line'))
        setImmediate(() => { throw new Error('late') })`,
    })
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const run = (words: readonly string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const environment = { PATH: process.env['PATH'], HOME: folder, SERVICE_SERVER_DATA_DIR: path.join(folder, 'data') }
      execFile(process.execPath, [...words, path.join(folder, 'plugin')], { cwd: folder, env: environment }, (error, _output, errors) =>
        resolve({ status: error?.code ?? 0, lines: errors.trimEnd().split('\n') }),
      )
    })

  for (const [name, words] of Object.entries(validating)) {
    it(`is a line each of ${name}, in characters that a terminal only shows`, async () => {
      const { status, lines } = await run(words)
      expect(status, lines.join('\n')).to.equal(1)
      const escaped = lines.filter((line) => line.includes('escaped'))
      expect(escaped, lines.join('\n')).to.have.length(2)
      expect(escaped[0]).to.match(/an error escaped as an unhandled rejection: \S+\[31mred .*and a second line$/)
      expect(escaped[1]).to.match(/an error escaped as an uncaught exception: late$/)
      expect(lines.join('\n'))
        .to.not.include('\u001b')
        .and.to.not.match(/^ +at /m)
      expect(
        lines.every((line) => /tool-escape|an error escaped/.test(line)),
        lines.join('\n'),
      ).to.equal(true)
    })
  }
})
