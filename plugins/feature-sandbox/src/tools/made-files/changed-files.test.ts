import type { UserFileEntry, UserFiles, UserFolder } from '@agent-service/sdk/services/user-files'
import { expect } from 'chai'
import { lookBefore } from './changed-files.js'

/** A workspace of given files, each with a version; folders follow from the paths. */
function workspaceOf(files: Map<string, number>) {
  const listed: string[] = []
  let onList = (): void => undefined
  const list: UserFolder['list'] = async (path, { after, signal } = {}) => {
    listed.push(path)
    onList()
    signal?.throwIfAborted()
    const entries = new Map<string, UserFileEntry>()
    for (const [name, version] of files) {
      if (path !== '' && !name.startsWith(`${path}/`)) continue
      const [first = '', ...rest] = name.slice(path === '' ? 0 : path.length + 1).split('/')
      const own = path === '' ? first : `${path}/${first}`
      const kind = rest.length > 0 ? 'folder' : 'file'
      entries.set(first, { name: first, path: own, kind, size: 1, modifiedAt: version, ...(kind === 'file' && { etag: `"${version}"` }) })
    }
    const names = [...entries.values()].sort((one, other) => (one.name < other.name ? -1 : 1)).filter(({ name }) => name > (after ?? ''))
    const items = names.slice(0, 1_000)
    return { items, unnameable: 0, ...(names.length > 1_000 && { next: items.at(-1)?.name ?? '' }) }
  }
  return {
    listed,
    files: { folder: () => ({ list }) as unknown as UserFolder } satisfies Pick<UserFiles, 'folder'>,
    onList: (then: () => void) => {
      onList = then
    },
  }
}

const call = (signal = new AbortController().signal) => ({ userHandle: 'ada', workspace: 'assistant', signal })
const pathsOf = (files: readonly { readonly path: string }[]): readonly string[] => files.map(({ path }) => path)
const manyIn = (folder: string, count: number): readonly (readonly [string, number])[] =>
  Array.from({ length: count }, (_, index) => [`${folder}/f${index}`, 1] as const)

describe('what a program changed in a workspace', () => {
  it('is what is new, and what has another etag, but not what was moved away', async () => {
    const files = new Map([
      ['same.txt', 1],
      ['changed.txt', 1],
      ['gone.txt', 1],
    ])
    const { files: service } = workspaceOf(files)
    const before = await lookBefore(service, call(), { names: 100, ms: 60_000 })
    files.set('changed.txt', 2).set('deep/er/new.txt', 1)
    files.delete('gone.txt')
    expect(pathsOf(await before.changed())).to.deep.equal(['deep/er/new.txt', 'changed.txt'])
  })

  it('is never guessed of what was not seen before: no old file of a large workspace is named', async () => {
    const limits = { names: 1_500, ms: 60_000 }
    const files = new Map<string, number>([['top.txt', 1], ...manyIn('large', 3_000), ...manyIn('some', 200)])
    const { files: service } = workspaceOf(files)
    const before = await lookBefore(service, call(), limits)
    // Now it can be read whole, and all in it looks new.
    for (const [name] of manyIn('large', 2_500)) files.delete(name)
    files.set('large/new.txt', 1).set('some/new.txt', 1).set('other/new.txt', 1).set('top.txt', 2)
    expect(pathsOf(await before.changed())).to.have.members(['some/new.txt', 'other/new.txt', 'top.txt'])
  })

  it('is nothing where not even the top of the workspace could be read whole', async () => {
    const files = new Map<string, number>(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, 1] as const))
    const { files: service } = workspaceOf(files)
    const before = await lookBefore(service, call(), { names: 1_500, ms: 60_000 })
    for (let index = 0; index < 1_500; index += 1) files.delete(`f${index}`)
    files.set('new.txt', 1)
    expect(await before.changed()).to.deep.equal([])
  })

  it('costs a bounded number of looks, however deep the workspace is', async () => {
    const files = new Map<string, number>(
      Array.from({ length: 5_000 }, (_, index) => [`${'d/'.repeat(index % 50)}x${index}/f`, 1] as const),
    )
    const workspace = workspaceOf(files)
    const before = await lookBefore(workspace.files, call(), { names: 1_000, ms: 60_000 })
    const looks = workspace.listed.length
    expect(looks).to.be.below(1_100)
    await before.changed()
    expect(workspace.listed.length).to.be.below(2 * 1_100)
  })

  it('ends with the call, and after its time', async () => {
    const workspace = workspaceOf(new Map([['a/b.txt', 1]]))
    const controller = new AbortController()
    workspace.onList(() => controller.abort(new Error('cancelled')))
    const outcome = await lookBefore(workspace.files, call(controller.signal)).catch((error: Error) => error.message)
    expect(outcome).to.equal('cancelled')
    const never: UserFolder['list'] = (_path, { signal } = {}) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
    const stuck = { folder: () => ({ list: never }) as unknown as UserFolder }
    const before = await lookBefore(stuck, call(), { names: 10, ms: 1 })
    expect(await before.changed()).to.deep.equal([])
  })
})
