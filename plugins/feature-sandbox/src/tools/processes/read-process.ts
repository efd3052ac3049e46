import { Type } from '@agent-service/sdk'
import type { Tool, ToolResult } from '@agent-service/sdk/contracts/tool'
import type { SandboxProcess } from '@agent-service/sdk/services/sandbox'
import type { ProcessMasks } from '../../credentials/process-masks.js'
import { answer, numberIn, reported, textIn } from '../common/calls.js'
import { toolWords } from '../common/tool-words.js'
import { ownProcess } from './own-processes.js'
import { idParameter, type OutputToolDependencies, waitParameter } from './process-tools.js'
import { stateWords } from './process-words.js'
import { maxReadBytes, readOutput } from './read-output.js'

/** Reads the output of one of the agent's own processes. */
export function createReadProcessTool({ sandbox, clock, masks }: OutputToolDependencies): Tool {
  return {
    specVersion: 1,
    name: 'read_process',
    title: 'Read a process',
    display: toolWords.read_process,
    description: `Reads the output and the state of one of your processes, at most ${maxReadBytes} bytes in one call. The last mebibyte of output is kept until an hour after its end. Reports the offset at which to continue; with wait_seconds it waits for output that is not there yet.`,
    parameters: Type.Object({
      ...idParameter,
      offset: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Where to begin, in bytes of its output. Default: the end of what there is.' }),
      ),
      ...waitParameter,
    }),
    effect: 'read',
    timeoutMs: 120_000,
    supports: { probe: false },
    purpose: ({ id }) => `Read the output of process ${String(id)}`,
    execute: (input, context) =>
      reported(context, async () => {
        const process = ownProcess(sandbox, textIn(input, 'id') ?? '', context)
        const waitMs = (numberIn(input, 'wait_seconds') ?? 0) * 1_000
        const { outputBytes } = process.view()
        // Without an offset, a call that waits is for what comes now.
        const from = numberIn(input, 'offset') ?? (waitMs > 0 ? outputBytes : Math.max(0, outputBytes - maxReadBytes))
        return partOf(process, from, waitMs, { signal: context.signal, now: () => clock.now(), masks })
      }),
  }
}

/** What a process has written from an offset on, with its state. */
export async function partOf(
  process: SandboxProcess,
  from: number,
  waitMs: number,
  { signal, now, masks }: { readonly signal: AbortSignal; readonly now: () => number; readonly masks: ProcessMasks },
): Promise<ToolResult> {
  const { outputBytes } = process.view()
  if (from > outputBytes) return answer(true, `There is no offset ${from}: process ${process.id} has written ${outputBytes} bytes so far.`)
  const { text, offset, next, more } = await readOutput(process, { from, waitMs, signal, mask: await masks.of(process.view().principal) })
  const lost = offset > from ? `The output from offset ${from} to ${offset} is no longer kept. ` : ''
  const view = process.view()
  const continuation = view.exit === null || more ? ` Continue with offset ${next}${more ? ': there is more' : ''}.` : ''
  return answer(
    false,
    `${stateWords(view, now())} ${lost}Output from offset ${offset} to ${next}.${continuation}`,
    text === '' ? '(no output)' : text,
  )
}
