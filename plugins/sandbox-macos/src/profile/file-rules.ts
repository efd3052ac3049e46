import type { SandboxFiles } from '@agent-service/sdk/contracts/sandbox-driver'
import { foldersAbove, isBelow, kernelPath, linksAtRoot } from './host-paths.js'
import { always, granted, literal, rule, subpath } from './rules.js'

/** What may be read, run and changed. */
export interface FilePlan {
  readonly files: SandboxFiles
  /** Where the programs and libraries of the system are. */
  readonly system: readonly string[]
  /** Readable whatever is denied: the folder of this run. */
  readonly own: readonly string[]
}

const reading = ['file-read*', 'file-test-existence', 'file-map-executable', 'process-exec']
const looking = ['file-read-metadata', 'file-test-existence']

/** Files that are not confined. */
export const openFileRules = (): readonly string[] => [always('allow', 'file*', 'process-exec')]

/** Files of the lists and of the system alone. Denied paths lie below no rule that allows. */
export function fileRules({ files, system, own }: FilePlan): readonly string[] {
  const { read, write, deny } = files
  const readable = [...system, ...read, ...write]
  const within = (inner: string, folder: string): boolean => isBelow(kernelPath(inner), kernelPath(folder))
  // What is for reading stays so below a folder that may be written.
  const fixed = read.filter((path) => write.some((each) => within(path, each) && !within(each, path)))
  const above = [...readable, ...own].flatMap((path) => foldersAbove(kernelPath(path)))
  return [
    ...rule('allow', ['file-read*', 'file-test-existence'], [literal('/')]),
    // Programs look at each folder on the way to a path. Their lists stay closed.
    ...rule('allow', looking, [...linksAtRoot, ...new Set(above)].map(literal)),
    ...rule(
      'allow',
      reading,
      readable.flatMap((path) => granted(path, deny)),
    ),
    ...rule(
      'allow',
      ['file-write*'],
      write.flatMap((path) => granted(path, [...deny, ...fixed.filter((each) => !within(path, each))])),
    ),
    ...rule('deny', [...reading, 'file-write*'], deny.map(subpath)),
    // A folder that may be written could be removed, and a link take its place.
    ...rule('deny', ['file-write-create', 'file-write-unlink'], write.map(kernelPath).map(literal)),
    // Rules follow names: what lies above such a path must not get another one.
    ...rule(
      'deny',
      ['file-write-unlink'],
      [...deny, ...fixed].flatMap((path) => movableAbove(kernelPath(path), write.map(kernelPath))).map(literal),
    ),
    ...rule('allow', reading, own.map(subpath)),
  ]
}

const movableAbove = (path: string, write: readonly string[]): readonly string[] =>
  foldersAbove(path).filter((folder) => write.some((each) => isBelow(folder, each)))
