import type { OpenUserFile, UserFileEntry, UserFileKind, UserFolder } from '@agent-service/sdk/services/user-files'
import { expect } from 'chai'
import { newReport } from './export-report.js'
import { fileEntries } from './file-entries.js'

type Tree = { readonly [name: string]: Tree | string | Exclude<UserFileKind, 'file' | 'folder'> | Error }

/** A folder that lists two names at a time and counts its open files. */
function folderOf(tree: Tree) {
  const counts = { open: 0 }
  const at = (path: string): Tree[string] | undefined =>
    path.split('/').reduce<Tree[string] | undefined>((place, name) => (name === '' ? place : (place as Tree)[name]), tree)
  const kindOf = (value: Tree[string] | undefined): UserFileKind =>
    value === 'link' || value === 'other' ? value : typeof value === 'string' || value instanceof Error ? 'file' : 'folder'
  const entryOf = (path: string): UserFileEntry => ({
    ...{ name: path.split('/').at(-1) ?? '', path, kind: kindOf(at(path)), modifiedAt: 1_000, size: 1 },
  })
  const list: UserFolder['list'] = async (path, { after = '' } = {}) => {
    const names = Object.keys(at(path) as Tree)
      .sort()
      .filter((name) => name > after)
    const items = names.slice(0, 2).map((name) => entryOf(path === '' ? name : `${path}/${name}`))
    const next = names.length > 2 ? names[1] : undefined
    return { items, unnameable: after === '' && path === '' ? 1 : 0, ...(next === undefined ? {} : { next }) }
  }
  const open: UserFolder['open'] = async (path) => {
    const value = at(path)
    if (value === 'unreadable') throw new Error('unreadable')
    counts.open += 1
    async function* bytes(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from(value instanceof Error ? 'half' : String(value))
        if (value instanceof Error) throw value
      } finally {
        counts.open -= 1
      }
    }
    return { ...entryOf(path), stream: bytes, peek: async () => new Uint8Array(), close: async () => undefined } satisfies OpenUserFile
  }
  return { folder: { list, open } as unknown as UserFolder, counts }
}

describe('the files of an archive', () => {
  const export_ = async (tree: Tree, max = 100) => {
    const { folder, counts } = folderOf(tree)
    const report = newReport('files', 'files/files')
    const failures: unknown[] = []
    const found = new Map<string, string>()
    const { signal } = new AbortController()
    const entries = fileEntries({
      folder,
      report,
      signal,
      room: { files: max },
      mayRead: async () => true,
      onFailure: (error) => failures.push(error),
    })
    for await (const { name, input } of entries) {
      const pieces: Uint8Array[] = []
      for await (const piece of input as AsyncIterable<Uint8Array>) pieces.push(piece)
      found.set(name, Buffer.concat(pieces).toString())
    }
    return { found: Object.fromEntries(found), report, failures: failures.length, open: counts.open }
  }

  it('are those of all folders and pages, in order; links and the like are counted', async () => {
    const { found, report, open } = await export_({ a: '1', b: { c: '2', d: { e: '3' }, f: 'link', g: '4' }, h: 'other', i: '5', j: {} })
    expect(found).to.deep.equal({
      'files/files/a': '1',
      'files/files/b/c': '2',
      'files/files/b/d/e': '3',
      'files/files/b/g': '4',
      'files/files/i': '5',
    })
    expect(report).to.deep.include({ items: 5, bytes: 5, skipped: 3, problems: [] })
    expect(open).to.equal(0)
  })

  it('lack what cannot be read, or its end, and name it', async () => {
    const { found, report, failures, open } = await export_({ a: 'unreadable', b: new Error('the disk failed'), c: '3' })
    expect(found).to.deep.equal({ 'files/files/b': 'half', 'files/files/c': '3' })
    expect(report.problems.map(({ path, code }) => [path, code])).to.deep.equal([
      ['a', 'export_failed'],
      ['b', 'export_failed'],
    ])
    expect([failures, open]).to.deep.equal([2, 0])
  })

  it('have a maximum, and the rest is named as missing', async () => {
    const { found, report } = await export_({ a: '1', b: '2', c: '3' }, 2)
    expect(Object.keys(found)).to.have.length(2)
    expect(report.problems.map(({ code }) => code)).to.deep.equal(['too_many_files'])
  })

  it('are closed when the archive ends in the middle of one', async () => {
    const { folder, counts } = folderOf({ a: '1', b: '2' })
    const { signal } = new AbortController()
    const entries = fileEntries({
      folder,
      report: newReport('files', 'files'),
      signal,
      room: { files: 9 },
      mayRead: async () => true,
      onFailure: () => undefined,
    })
    const { value } = await entries.next()
    if (value === undefined) throw new Error('There is no file.')
    await (value.input as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]().next()
    expect(counts.open).to.equal(1)
    await entries.return()
    expect(counts.open).to.equal(0)
  })
})
