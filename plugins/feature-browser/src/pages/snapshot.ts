import { limits } from '../common/limits.js'
import { type AccessibleNode, writeTree } from './accessibility-tree.js'
import type { ElementRefs } from './element-refs.js'
import type { PageFrame } from './frames.js'

/**
 * Reads a page as the accessibility tree of the browser, with those of its frames where they stand.
 * At most so much as is kept; the last line says if there was more.
 */
export async function takeSnapshot(frames: readonly PageFrame[], refs: ElementRefs, signal: AbortSignal): Promise<string> {
  const [main] = frames
  if (main === undefined) return ''
  const lines: string[] = []
  let size = 0
  let nodesLeft: number = limits.maxSnapshotNodes
  const write = async (frame: PageFrame, depth: number): Promise<string[]> => {
    const own: string[] = []
    const nested: { readonly at: number; readonly backendNodeId: number; readonly depth: number }[] = []
    const nodes = await readTree(frame, signal)
    writeTree(nodes.slice(0, nodesLeft), depth, {
      line(at, text) {
        const line = `${'  '.repeat(Math.min(at, 30))}${text}`
        size += line.length + 1
        if (size > limits.maxSnapshotKept) return false
        own.push(line)
        return true
      },
      refOf: (backendNodeId) => refs.refOf(frame, backendNodeId),
      isSecret: (backendNodeId) => refs.isSecret(frame, backendNodeId),
      frame: (backendNodeId, at) => void nested.push({ at: own.length, backendNodeId, depth: at }),
    })
    nodesLeft = Math.max(0, nodesLeft - nodes.length)
    // From the end, so that the places of those before stay.
    for (const each of nested.reverse()) {
      const child = await frameIn(frame, each.backendNodeId, frames, signal)
      if (child !== undefined && depth < 10) own.splice(each.at, 0, ...(await write(child, each.depth)))
    }
    return own
  }
  lines.push(...(await write(main, 0)))
  if (size > limits.maxSnapshotKept || nodesLeft === 0) lines.push('(The page is larger than a snapshot can be; the rest is left out.)')
  return lines.join('\n')
}

async function readTree({ id, session }: PageFrame, signal: AbortSignal): Promise<readonly AccessibleNode[]> {
  const { nodes } = await session.send<{ readonly nodes: readonly AccessibleNode[] }>(
    'Accessibility.getFullAXTree',
    { frameId: id },
    { signal },
  )
  return nodes
}

/** The frame in an element, wherever it is. */
async function frameIn(
  { session }: PageFrame,
  backendNodeId: number,
  frames: readonly PageFrame[],
  signal: AbortSignal,
): Promise<PageFrame | undefined> {
  const { node } = await session.send<{ readonly node: { readonly frameId?: string } }>('DOM.describeNode', { backendNodeId }, { signal })
  return frames.find(({ id }) => id === node.frameId)
}
