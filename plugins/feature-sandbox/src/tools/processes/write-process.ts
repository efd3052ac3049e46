import { Type, visibleLine } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { answer, numberIn, reported, textIn } from '../common/calls.js'
import { toolWords } from '../common/tool-words.js'
import { ownProcess } from './own-processes.js'
import { idParameter, type OutputToolDependencies, waitParameter } from './process-tools.js'
import { stateWords } from './process-words.js'
import { partOf } from './read-process.js'

/** Gives input to one of the agent's own processes. */
export function createWriteProcessTool({ sandbox, clock, masks }: OutputToolDependencies): Tool {
  return {
    specVersion: 1,
    name: 'write_process',
    title: 'Write to a process',
    display: toolWords.write_process,
    description:
      'Writes to the standard input of one of your processes in the background, and returns what it writes in return within wait_seconds. End a line with a line feed.',
    parameters: Type.Object({
      ...idParameter,
      text: Type.Optional(Type.String({ maxLength: 100_000, description: 'The text, as it is.' })),
      close: Type.Optional(Type.Boolean({ description: 'Closes the input afterwards: the process reads its end.' })),
      ...waitParameter,
    }),
    effect: 'unsafe',
    timeoutMs: 120_000,
    supports: { probe: false },
    // What a text does is up to the process that reads it.
    scopes: () => [],
    exactly: () => false,
    purpose: (input) =>
      `Write to process ${visibleLine(textIn(input, 'id') ?? '')}: ${visibleLine(textIn(input, 'text') ?? '(end of input)')}`,
    execute: (input, context) =>
      reported(context, async () => {
        const process = ownProcess(sandbox, textIn(input, 'id') ?? '', context)
        const { outputBytes, exit } = process.view()
        if (exit !== null) return answer(true, `Nothing was written: the process has ended. ${stateWords(process.view(), clock.now())}`)
        const text = textIn(input, 'text') ?? ''
        if (text !== '') await process.write(new TextEncoder().encode(text))
        if (input['close'] === true) process.closeInput()
        const waitMs = (numberIn(input, 'wait_seconds') ?? 1) * 1_000
        return partOf(process, outputBytes, waitMs, { signal: context.signal, now: () => clock.now(), masks })
      }),
  }
}
