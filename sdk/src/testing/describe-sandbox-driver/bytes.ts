import { strict as assert } from 'node:assert'
import { createHash } from 'node:crypto'
import type { SuiteRunner } from '../suite-runner.js'
import type { SuiteBench, WithBench } from './suite-bench.js'

/** Every byte in every place: no text in any encoding. */
const blockOf = (number: number): Uint8Array => Uint8Array.from({ length: 10_007 }, (_, at) => (at * (number + 1)) % 256)
const blocks = 100

const digestOf = (parts: Iterable<Uint8Array>): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** What goes in and comes out, to the byte. */
export function describeBytes(runner: SuiteRunner, withBench: WithBench): void {
  runner.it('passes every byte of input and output, whatever they mean and however many they are', withBench(passesBytes))

  runner.it(
    'shows each stream as it is written, also while the other one stays open and silent',
    withBench(async ({ start }) => {
      for (const script of ['echo ready >&2', 'echo ready']) {
        const process = start(`${script}; while :; do sleep 1; done`)
        await process.shows('ready')
        process.abort()
        await process.ended
      }
    }),
  )
}

async function passesBytes({ driver, request, signal }: SuiteBench): Promise<void> {
  const given = Array.from({ length: blocks }, (_, number) => blockOf(number))
  async function* input() {
    yield* given
  }
  const asked = request([process.execPath, '-e', 'process.stdin.pipe(process.stdout)'])
  const parts: Uint8Array[] = []
  let length = 0
  for await (const event of driver.run(asked, { signal, input: input() })) {
    if (event.type === 'exit') assert.equal(event.code, 0)
    if (event.type !== 'output' || event.stream !== 'stdout') continue
    parts.push(Uint8Array.from(event.bytes))
    length += event.bytes.length
  }
  assert.equal(length, blocks * blockOf(0).length, 'the number of bytes')
  assert.equal(digestOf(parts), digestOf(given), 'bytes were changed, or came in another order')
}
