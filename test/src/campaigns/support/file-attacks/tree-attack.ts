import { closeSync, ftruncateSync, linkSync, mkdirSync, openSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Names at which everything happens, so that attacks and calls meet. */
export const names = ['a', 'b', 'a/b', 'a/b/c', 'b/c', 'link', 'link/secret', 'link/inner/secret', 'a/link/secret'] as const

/** What a process of an agent may do to its own folder. */
export type TreeAttack =
  | { readonly kind: 'symlink'; readonly at: number; readonly to: number }
  | { readonly kind: 'hard link'; readonly at: number; readonly to: number }
  | { readonly kind: 'special'; readonly at: number; readonly to: number }
  | { readonly kind: 'rename'; readonly at: number; readonly to: number }
  | { readonly kind: 'swap'; readonly at: number; readonly to: number }
  | { readonly kind: 'file' | 'folder' | 'remove' | 'sparse'; readonly at: number }

export const attackKinds = ['symlink', 'hard link', 'special', 'rename', 'swap', 'file', 'folder', 'remove', 'sparse'] as const

/** The places of a campaign. */
export interface AttackPlaces {
  /** The folder of the user, in which the attacks are. */
  readonly root: string
  /** Beside the data of the service. */
  readonly outside: string
  /** Pipes, sockets and devices, to be linked into the folder. */
  readonly special: readonly string[]
  /** The folder of another user. */
  readonly other: string
  /** Whether the attacker is another user than the service. */
  readonly isApart: boolean
}

/** An attacker of the service's own user could itself write where the last ones lead. */
const targetsOf = ({ outside, other, root, isApart }: AttackPlaces): readonly string[] => [
  ...[
    outside,
    path.join(outside, 'secret'),
    path.join(outside, 'inner'),
    other,
    path.join(other, 'secret'),
    '/etc/passwd',
    '/proc/self/environ',
  ],
  ...['.', 'link', '/', '/dev/zero', '/proc/self/fd', '/proc/self/cwd', path.relative(root, outside)],
  ...(isApart ? ['..', '../../..'] : []),
]

/** Does it, or nothing if the tree does not allow it. */
export function attack(step: TreeAttack, places: AttackPlaces): void {
  const at = path.join(places.root, names[step.at % names.length] ?? 'a')
  try {
    apply(step, at, places)
  } catch {
    // The tree has changed under it, as it does for a process.
  }
}

function apply(step: TreeAttack, at: string, places: AttackPlaces): void {
  const pick = (all: readonly string[]): string => all['to' in step ? step.to % all.length : 0] ?? ''
  const actions: Readonly<Record<TreeAttack['kind'], () => unknown>> = {
    symlink: () => replaceBy(at, (temporary) => symlinkSync(pick(targetsOf(places)), temporary)),
    'hard link': () =>
      replaceBy(at, (temporary) => linkSync(pick([path.join(places.outside, 'secret'), path.join(places.other, 'secret')]), temporary)),
    special: () => replaceBy(at, (temporary) => linkSync(pick(places.special), temporary)),
    rename: () => renameSync(at, path.join(places.root, pick(names))),
    swap: () => swap(at, path.join(places.root, pick(names)), path.join(places.root, 'swapped')),
    file: () => writeFileSync(at, 'mine', { flag: 'wx' }),
    sparse: () => {
      // By its descriptor: the name may be a link by then.
      const file = openSync(at, 'wx')
      ftruncateSync(file, 2 ** 38)
      closeSync(file)
    },
    // Not recursive: Node.js can wait there for ever, for a link that leads nowhere.
    folder: () => mkdirSync(at),
    remove: () => rmSync(at, { recursive: true, force: true }),
  }
  actions[step.kind]()
}

function swap(one: string, other: string, between: string): void {
  renameSync(one, between)
  renameSync(other, one)
  renameSync(between, other)
}

let count = 0

/** In one step, so that there is always something at the name. */
function replaceBy(at: string, make: (temporary: string) => void): void {
  count += 1
  const temporary = path.join(path.dirname(at), `.new-${process.pid}-${count}`)
  make(temporary)
  try {
    renameSync(temporary, at)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
