import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { createClient } from '@hey-api/openapi-ts'
import { expect } from 'chai'
import openapiTypes, { astToString } from 'openapi-typescript'
import { signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { type ScriptedHttpUpstream, saying, startScriptedHttpUpstream } from '../support/scripted-http-upstream.js'
import { removeFolder } from '../support/service-process.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const programs = path.join(root, 'test/fixtures/clients')
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')

const compilerOptions = {
  ...{ target: 'es2022', module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'] },
  ...{ strict: true, noUncheckedIndexedAccess: true, noImplicitOverride: true, skipLibCheck: true, types: ['node'] },
}

/** What each program prints: the same for both. */
const expected = {
  username: 'ada',
  status: 'completed',
  streamed: 'Hello from the model.',
  stored: [
    { role: 'user', text: 'Hello!' },
    { role: 'assistant', text: 'Hello from the model.' },
  ],
  refused: 'agent_handle_taken',
}

describe('clients that are generated from the description', function () {
  this.timeout(120_000)
  let upstream: ScriptedHttpUpstream
  let kernel: TestKernel
  let folder: string
  let clients: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-clients-'))
    clients = await mkdtemp(path.join(tmpdir(), 'agent-service-generated-'))
    upstream = await startScriptedHttpUpstream()
    await writeConfiguration(folder, upstream.url)
    kernel = await createTestKernel({ folder, environment: { UPSTREAM_KEY: 'upstream-key-0123456789' } })
    await signUp(kernel.url, 'ada')
    await symlink(path.join(root, 'node_modules'), path.join(clients, 'node_modules'))
    await writeFile(path.join(clients, 'package.json'), '{"type":"module"}')
    await writeFile(path.join(clients, 'openapi.json'), await (await fetch(`${kernel.url}/api/openapi.json`)).text())
  })
  after(async () => {
    await kernel?.stop()
    await upstream?.close()
    for (const each of [folder, clients]) if (each !== undefined) await removeFolder(each)
  })

  /** Runs a compiled program against the service. */
  const outputOf = async (program: string): Promise<unknown> => {
    upstream.script(saying('Hello from the model.'))
    const { stdout } = await run(process.execPath, [path.join(clients, `${program}.js`), kernel.url], { timeout: 60_000 })
    return JSON.parse(stdout) as unknown
  }

  it('compile with the types of openapi-typescript and with the client of @hey-api/openapi-ts, without casts', async () => {
    const types = await openapiTypes(new URL(`file://${path.join(clients, 'openapi.json')}`))
    await writeFile(path.join(clients, 'schema.ts'), astToString(types))
    await createClient({
      input: path.join(clients, 'openapi.json'),
      output: { path: path.join(clients, 'generated'), importFileExtension: '.js', postProcess: [] },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent', file: false },
    })
    const files = ['openapi-fetch-program.ts', 'hey-api-program.ts']
    for (const file of files) {
      expect(await readFile(path.join(programs, file), 'utf8'), 'casts').not.to.match(/\bas (?!const\b)|\bany\b|@ts-|[^=!]!\./)
      await copyFile(path.join(programs, file), path.join(clients, file))
    }
    const configuration = path.join(clients, 'tsconfig.json')
    await writeFile(configuration, JSON.stringify({ compilerOptions, files }))
    const compiled = await run(process.execPath, [compiler, '-p', configuration]).catch(
      (error: unknown) => error as { readonly stdout: string },
    )
    expect(compiled.stdout).to.equal('')
  })

  for (const program of ['openapi-fetch-program', 'hey-api-program'])
    it(`sign in, talk, stream and page in ${program}`, async () => {
      expect(await outputOf(program)).to.deep.equal(expected)
    })
})
