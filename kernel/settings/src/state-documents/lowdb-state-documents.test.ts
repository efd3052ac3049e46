import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDurableFileSystem } from '@agent-service/kernel-core/disk'
import type { StateDocuments } from '@agent-service/kernel-core/state-documents'
import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import { createStateDocuments } from './lowdb-state-documents.js'

const schema = Type.Object({ enabled: Type.Array(Type.String()), count: Type.Integer() })
interface Plugins {
  readonly [key: string]: readonly string[] | number
  readonly enabled: readonly string[]
  readonly count: number
}
const initial: Plugins = { enabled: [], count: 0 }
const document = { name: 'plugins', schema, initial }

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => {
      throw new Error(`Resolved with ${JSON.stringify(value)} instead of rejecting.`)
    },
    (error: unknown) => error,
  )

describe('state documents', () => {
  let parent: string
  let folder: string
  let path: string
  let documents: StateDocuments

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'agent-service-state-'))
    folder = join(parent, 'data', 'system')
    path = join(folder, 'plugins.json')
    documents = createStateDocuments(folder, createDurableFileSystem())
  })
  afterEach(() => rm(parent, { recursive: true, force: true }))

  it('start from their initial value and write nothing until they change', async () => {
    const plugins = await documents.open(document)
    expect(plugins.read()).to.deep.equal(initial)
    expect(await readdir(parent)).to.deep.equal([])
  })

  it('are files that only one user can read, and survive a restart', async () => {
    const plugins = await documents.open(document)
    const value = await plugins.update((old) => ({ ...old, enabled: ['a'], count: 1 }))
    expect(plugins.read()).to.equal(value)
    expect(await readFile(path, 'utf8')).to.equal('{\n  "enabled": [\n    "a"\n  ],\n  "count": 1\n}\n')
    expect((await stat(path)).mode & 0o777).to.equal(0o600)
    expect((await stat(folder)).mode & 0o777).to.equal(0o700)
    expect(await readdir(folder)).to.deep.equal(['plugins.json'])
    expect((await createStateDocuments(folder, createDurableFileSystem()).open(document)).read()).to.deep.equal(value)
  })

  it('are deeply frozen', async () => {
    const plugins = await documents.open(document)
    for (const value of [plugins.read(), await plugins.update((old) => ({ ...old, enabled: ['a'] })), plugins.read()]) {
      expect(Object.isFrozen(value)).to.equal(true)
      expect(Object.isFrozen(value.enabled)).to.equal(true)
    }
  })

  it('apply changes one after the other', async () => {
    const plugins = await documents.open(document)
    await Promise.all(Array.from({ length: 20 }, () => plugins.update((old) => ({ ...old, count: old.count + 1 }))))
    expect(plugins.read().count).to.equal(20)
    expect((await createStateDocuments(folder, createDurableFileSystem()).open(document)).read().count).to.equal(20)
  })

  it('stay unchanged if a change throws or returns a value that does not match the schema', async () => {
    const plugins = await documents.open(document)
    await plugins.update((old) => ({ ...old, count: 1 }))
    const problem = new Error('no')
    const throws = (): Plugins => {
      throw problem
    }
    expect(await rejection(plugins.update(throws))).to.equal(problem)
    expect(await rejection(plugins.update((old) => ({ ...old, count: 1.5 })))).to.include({ code: 'state_document_invalid' })
    expect(await rejection(plugins.update((old) => ({ ...old, more: 1 })))).to.include({ code: 'state_document_invalid' })
    expect(plugins.read().count).to.equal(1)
    expect(JSON.parse(await readFile(path, 'utf8'))).to.deep.equal({ enabled: [], count: 1 })
    await plugins.update((old) => ({ ...old, count: old.count + 1 }))
    expect(plugins.read().count).to.equal(2)
  })

  it('stay unchanged if the file cannot be written', async () => {
    const real = createDurableFileSystem()
    let full = false
    const fileSystem = {
      ...real,
      writeFile: async (file: string, text: string): Promise<void> => {
        await real.writeFile(file, full ? text.slice(0, 5) : text)
        if (full) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      },
    }
    const plugins = await createStateDocuments(folder, fileSystem).open(document)
    await plugins.update((old) => ({ ...old, count: 1 }))
    full = true
    expect(await rejection(plugins.update((old) => ({ ...old, count: 2 })))).to.include({ code: 'ENOSPC' })
    expect(plugins.read().count).to.equal(1)
    expect((await createStateDocuments(folder, createDurableFileSystem()).open(document)).read().count).to.equal(1)
    full = false
    await plugins.update((old) => ({ ...old, count: old.count + 1 }))
    expect((await createStateDocuments(folder, createDurableFileSystem()).open(document)).read().count).to.equal(2)
  })

  it('refuse a file that is not valid, naming it, and accept it once it is corrected', async () => {
    const plugins = await documents.open(document)
    await plugins.update((old) => ({ ...old, count: 1 }))
    documents = createStateDocuments(folder, createDurableFileSystem())
    for (const [text, reason] of [
      ['', 'not JSON'],
      ['{"enabled": [', 'not JSON'],
      ['[]', 'object'],
      ['{"enabled": [], "count": "1"}', '/count'],
      ['{"enabled": [], "count": 1, "more": 1}', '/more'],
    ] as const) {
      await writeFile(path, text)
      const error = await rejection(documents.open(document))
      expect(error, text).to.include({ code: 'state_document_invalid' })
      expect(String(error)).to.contain(path).and.to.contain(reason)
    }
    await writeFile(path, '{"enabled": [], "count": 7}')
    expect((await documents.open(document)).read().count).to.equal(7)
  })

  it('are one document for one name, and refuse invalid names', async () => {
    expect(await documents.open(document)).to.equal(await documents.open(document))
    for (const name of ['', '../plugins', 'Plugins', 'a/b', '.hidden']) {
      expect(await rejection(documents.open({ ...document, name }))).to.include({ code: 'state_document_invalid' })
    }
  })
})
