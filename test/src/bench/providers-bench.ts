import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startChild } from './child.js'
import type { Figure } from './figures.js'
import { installPeer, peerModule, peerNode } from './peers.js'

const streams = 1_000
const atOnce = [1, 16, 128]
const protocols = ['completions', 'anthropic-messages']
const ours = new URL('./provider-subject.js', import.meta.url).href
const program = fileURLToPath(new URL('./providers-child.js', import.meta.url))

interface Compared {
  readonly subject: { readonly medianMs: number; readonly cpuMs: number }
  readonly raw: { readonly medianMs: number; readonly cpuMs: number }
}
interface Grown {
  readonly heapGrownMb: number
  readonly residentGrownMb: number
}

const measure = async <Result>(node: string, options: readonly string[], values: readonly (string | number)[]): Promise<Result> => {
  const { stdout } = await promisify(execFile)(node, [...options, program, ...values.map(String)], {
    env: { PATH: process.env['PATH'] ?? '' },
    maxBuffer: 1 << 20,
  })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Result
}

/**
 * Time and processor time that a stream of 60 events costs beyond raw `fetch`, for our adapters and
 * for peers under the same Node, and what is held after `calls` of them.
 */
export async function benchProviders(calls: number, print: (line: string) => void): Promise<readonly Figure[]> {
  const upstream = await startChild('./providers-upstream.js')
  try {
    const hasNode = await installPeer('node-22', print)
    const node = hasNode ? peerNode() : process.execPath
    const peers: string[] = []
    for (const name of ['ai', 'pi-ai']) if (hasNode && (await installPeer(name, print))) peers.push(name)
    const figures: Figure[] = []
    for (const protocol of protocols) {
      for (const together of atOnce) figures.push(...(await figuresOf(protocol, together, { upstream: upstream.url, node, peers })))
    }
    for (const protocol of protocols) {
      const { heapGrownMb, residentGrownMb } = await measure<Grown>(
        node,
        ['--expose-gc'],
        [ours, protocol, upstream.url, 16, calls, 'memory'],
      )
      const what = `${protocol}, after ${calls.toLocaleString('en-US')} streams`
      figures.push(
        { what: `${what}: heap grown`, ours: heapGrownMb, unit: 'MB', aim: { text: 'at most 2 MB', met: heapGrownMb <= 2 } },
        { what: `${what}: resident memory grown`, ours: residentGrownMb, unit: 'MB' },
      )
    }
    return figures
  } finally {
    await upstream.stop()
  }
}

/** Of one protocol at one load: ours on this Node, then all sides under the peers' Node. */
async function figuresOf(
  protocol: string,
  together: number,
  { upstream, node, peers }: { readonly upstream: string; readonly node: string; readonly peers: readonly string[] },
): Promise<readonly Figure[]> {
  const added = async (runtime: string, module: string): Promise<{ readonly ms: number; readonly cpuMs: number }> => {
    const { subject, raw } = await measure<Compared>(runtime, [], [module, protocol, upstream, together, streams])
    return { ms: subject.medianMs - raw.medianMs, cpuMs: subject.cpuMs - raw.cpuMs }
  }
  const own = await added(node, ours)
  const others = new Map<string, { readonly ms: number; readonly cpuMs: number }>()
  for (const name of peers) others.set(name, await added(node, peerModule(name)))
  const best = Math.min(...[...others.values()].map(({ cpuMs }) => cpuMs))
  const what = `${protocol}, ${together} at a time`
  const time = { text: 'at most 0.5 ms at the median', met: own.ms <= 0.5 }
  const figures: Figure[] = [
    { what: `${what}: time added`, ours: own.ms, unit: 'ms', ...(together === 1 && { aim: time }) },
    {
      what: `${what}: processor time added`,
      ours: own.cpuMs,
      unit: 'ms',
      ...(others.size > 0 && { aim: { text: 'at most half of the better peer', met: own.cpuMs <= best / 2 } }),
    },
  ]
  for (const [name, peer] of others) {
    figures.push(
      { what: `  ${name}: time added`, ours: peer.ms, unit: 'ms' },
      { what: `  ${name}: processor time added`, ours: peer.cpuMs, unit: 'ms' },
    )
  }
  if (node !== process.execPath) {
    const here = await added(process.execPath, ours)
    figures.push({ what: `  ours under Node ${process.version}: time added`, ours: here.ms, unit: 'ms' })
  }
  return figures
}
