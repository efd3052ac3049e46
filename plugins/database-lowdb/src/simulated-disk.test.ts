import { basename } from 'node:path'
import { expect } from 'chai'
import type { FileSystem } from './file-system.js'

/**
 * A file's content behind its names. `written` grows by writes; `synced` is how much of it a power
 * cut leaves for certain.
 */
interface Node {
  readonly number: number
}

type Operation =
  | { readonly kind: 'create'; readonly node: Node; readonly name: string }
  | { readonly kind: 'write'; readonly node: Node; readonly text: string }
  | { readonly kind: 'sync'; readonly node: Node }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'unlink'; readonly name: string }
  | { readonly kind: 'sync-folder' }

/** What a power cut does to text that was written and not synced. */
export type UnsyncedText = 'lost' | 'torn' | 'kept'

/** Which of the changes of names that were not synced survive, by their positions. */
export type KeptNames = (position: number, count: number) => boolean

/**
 * A disk with one folder that remembers every operation, so that any moment of its life can be cut
 * off.
 */
export interface SimulatedDisk {
  readonly fileSystem: FileSystem
  /** How many operations there have been. */
  operations(): number
  /** The content of the folder after a power cut after `count` operations. */
  survivors(count: number, text: UnsyncedText, kept: KeptNames): ReadonlyMap<string, string>
}

const missing = (name: string): Error => Object.assign(new Error(`${name} is not there`), { code: 'ENOENT' })

/** Makes a disk that holds these files durably. */
export function createSimulatedDisk(initial: ReadonlyMap<string, string> = new Map()): SimulatedDisk {
  const log: Operation[] = []
  const texts = new Map<Node, string>()
  const names = new Map<string, Node>()
  const initialNames = new Map<string, Node>()
  let numbers = 0
  const createNode = (text: string): Node => {
    numbers += 1
    const node = { number: numbers }
    texts.set(node, text)
    return node
  }
  const initialTexts = new Map<Node, string>()
  for (const [name, text] of initial) {
    const node = createNode(text)
    initialTexts.set(node, text)
    names.set(name, node)
    initialNames.set(name, node)
  }

  const fileSystem: FileSystem = {
    checkFolder: async () => undefined,
    readFolder: async () => [...names.keys()],
    async readFile(path) {
      const node = names.get(basename(path))
      if (!node) throw missing(path)
      return texts.get(node) ?? ''
    },
    async openForWriting(path) {
      const node = createNode('')
      names.set(basename(path), node)
      log.push({ kind: 'create', node, name: basename(path) })
      return {
        async write(text) {
          texts.set(node, (texts.get(node) ?? '') + text)
          log.push({ kind: 'write', node, text })
        },
        async sync() {
          log.push({ kind: 'sync', node })
        },
        close: async () => undefined,
      }
    },
    async rename(from, to) {
      const node = names.get(basename(from))
      if (!node) throw missing(from)
      names.delete(basename(from))
      names.set(basename(to), node)
      log.push({ kind: 'rename', from: basename(from), to: basename(to) })
    },
    async unlink(path) {
      if (!names.delete(basename(path))) throw missing(path)
      log.push({ kind: 'unlink', name: basename(path) })
    },
    async syncFolder() {
      log.push({ kind: 'sync-folder' })
    },
  }

  return {
    fileSystem,
    operations: () => log.length,
    survivors(count, unsynced, kept) {
      const done = log.slice(0, count)
      const lastFolderSync = done.findLastIndex((operation) => operation.kind === 'sync-folder')
      const isName = (operation: Operation): boolean => ['create', 'rename', 'unlink'].includes(operation.kind)
      const loose = done.slice(lastFolderSync + 1).filter(isName)
      const durable = done.slice(0, lastFolderSync + 1).filter(isName)
      const surviving = namesAfter(
        initialNames,
        done.filter(isName),
        new Set([...durable, ...loose.filter((_, position) => kept(position, loose.length))]),
      )
      return new Map([...surviving].map(([name, node]) => [name, textAfter(done, node, initialTexts.get(node) ?? '', unsynced)]))
    },
  }
}

/**
 * Names after those changes that survive. A rename carries the file that it carried when it
 * happened.
 */
function namesAfter(initial: ReadonlyMap<string, Node>, changes: readonly Operation[], kept: ReadonlySet<Operation>): Map<string, Node> {
  const live = new Map(initial)
  const surviving = new Map(initial)
  for (const change of changes) {
    if (change.kind === 'create') {
      live.set(change.name, change.node)
      if (kept.has(change)) surviving.set(change.name, change.node)
    } else if (change.kind === 'rename') {
      const node = live.get(change.from)
      if (!node) continue
      live.delete(change.from)
      live.set(change.to, node)
      if (!kept.has(change)) continue
      surviving.delete(change.from)
      surviving.set(change.to, node)
    } else if (change.kind === 'unlink') {
      live.delete(change.name)
      if (kept.has(change)) surviving.delete(change.name)
    }
  }
  return surviving
}

function textAfter(done: readonly Operation[], node: Node, initial: string, unsynced: UnsyncedText): string {
  let synced = initial
  let loose = ''
  for (const operation of done) {
    if (operation.kind === 'write' && operation.node === node) loose += operation.text
    else if (operation.kind === 'sync' && operation.node === node) {
      synced += loose
      loose = ''
    }
  }
  if (unsynced === 'kept') return synced + loose
  return unsynced === 'lost' ? synced : synced + loose.slice(0, Math.ceil(loose.length / 2))
}

describe('the simulated disk', () => {
  const none: KeptNames = () => false
  const all: KeptNames = () => true

  it('keeps text and name only if both were synced', async () => {
    const disk = createSimulatedDisk()
    const file = await disk.fileSystem.openForWriting('/folder/a')
    await file.write('text')
    expect([...disk.survivors(disk.operations(), 'kept', none)]).to.deep.equal([])
    expect([...disk.survivors(disk.operations(), 'lost', all)]).to.deep.equal([['a', '']])
    expect([...disk.survivors(disk.operations(), 'torn', all)]).to.deep.equal([['a', 'te']])
    await file.sync()
    expect([...disk.survivors(disk.operations(), 'lost', all)]).to.deep.equal([['a', 'text']])
    await disk.fileSystem.syncFolder('/folder')
    expect([...disk.survivors(disk.operations(), 'lost', none)]).to.deep.equal([['a', 'text']])
  })

  it('loses a rename that was not synced', async () => {
    const disk = createSimulatedDisk(
      new Map([
        ['a', 'new'],
        ['b', 'old'],
      ]),
    )
    await disk.fileSystem.rename('/folder/a', '/folder/b')
    expect(Object.fromEntries(disk.survivors(disk.operations(), 'lost', none))).to.deep.equal({ a: 'new', b: 'old' })
    expect(Object.fromEntries(disk.survivors(disk.operations(), 'lost', all))).to.deep.equal({ b: 'new' })
  })
})
