import { setImmediate } from 'node:timers/promises'
import { type JsonObject, visibleLine } from '@agent-service/sdk'
import { settlesWithin } from '@agent-service/sdk/async'
import type { ToolContext, ToolResult } from '@agent-service/sdk/contracts/tool'
import type { AgentCredentials } from '@agent-service/sdk/services/agent-credentials'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Sandbox, SandboxProcess, SandboxStart } from '@agent-service/sdk/services/sandbox'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { openCredentials } from '../../credentials/process-credentials.js'
import type { ProcessMasks } from '../../credentials/process-masks.js'
import { createExcerpt } from '../../output/excerpt.js'
import { exitWords, isFailure } from '../../output/exit-words.js'
import { createPlainText, withoutOverwritten } from '../../output/plain-text.js'
import { answer, callersOf, principalOf } from '../common/calls.js'
import { type FilesBefore, lookBefore } from '../made-files/changed-files.js'
import { startOptions } from './run-parameters.js'

/** What the tools that run programs work with. */
export interface ProgramDependencies {
  readonly sandbox: Pick<Sandbox, 'start' | 'health'>
  readonly clock: Pick<Clock, 'after' | 'now'>
  readonly files: Pick<UserFiles, 'folder'>
  /** `undefined`: agents have none. */
  readonly credentials: Pick<AgentCredentials, 'granted' | 'open'> | undefined
  readonly masks: ProcessMasks
  /** Called with each process that a call has started. */
  readonly started: (process: SandboxProcess, context: ToolContext) => void
  /** How long a call waits for the early end of a process in the background, in milliseconds. */
  readonly earlyEndMs: number
}

/** A program that a call runs. */
export interface Program extends Pick<SandboxStart, 'kind' | 'command' | 'environment' | 'searchPath'> {
  /** What a person reads about it. */
  readonly title: string
}

/** Runs a program for a call, and reports its output; in the background, that it was started. */
export async function runProgram(
  dependencies: ProgramDependencies,
  program: Program,
  input: JsonObject,
  context: ToolContext,
): Promise<ToolResult> {
  const { sandbox, clock, files, credentials, masks, started } = dependencies
  const options = startOptions(input)
  const wanted = oneTitle(program.title)
  const { environment, privateFiles } = await openCredentials(credentials, input, { ...context, title: wanted })
  const mask = await masks.of(principalOf(context))
  const title = oneTitle(mask.take(wanted) + mask.end())
  const before = await lookBefore(files, context)
  const process = await sandbox.start(
    {
      ...{
        ...program,
        title,
        principal: principalOf(context),
        callers: callersOf(context),
        timezone: context.timezone,
        chatId: context.chatId,
      },
      ...options,
      ...(environment && { environment: { ...program.environment, ...environment } }),
      ...(privateFiles && { privateFiles }),
    },
    { signal: context.signal },
  )
  started(process, context)
  if (options.background) return startedInBackground(dependencies, { process, before }, context)
  process.closeInput()
  const began = clock.now()
  const output = await outputOf(dependencies, process, context)
  const exit = await process.exited
  context.signal.throwIfAborted()
  const result = answer(isFailure(exit), exitWords(exit, clock.now() - began), await noteOf(dependencies, context), output)
  return withFiles(result, before)
}

/** A result that names what the program made or changed. */
async function withFiles(result: ToolResult, before: FilesBefore): Promise<ToolResult> {
  const files = await before.changed()
  return files.length === 0 ? result : { ...result, files }
}

async function startedInBackground(
  dependencies: ProgramDependencies,
  { process, before }: { readonly process: SandboxProcess; readonly before: FilesBefore },
  context: ToolContext,
): Promise<ToolResult> {
  const { clock, earlyEndMs } = dependencies
  const began = clock.now()
  const note = await noteOf(dependencies, context)
  if (await settlesWithin(process.exited, { limitMs: earlyEndMs, clock })) {
    const exit = await process.exited
    const output = await outputOf(dependencies, process, context)
    return withFiles(answer(isFailure(exit), exitWords(exit, clock.now() - began), note, output), before)
  }
  return answer(
    false,
    `Started in the background as process ${process.id}. Read its output with read_process {"id":"${process.id}","offset":0}; end it with stop_process.`,
    note,
  )
}

/** The lines that every result has while the confinement of files is lifted, and while the agent works for others. */
export async function noteOf({ sandbox }: Pick<ProgramDependencies, 'sandbox'>, { signal, callers }: ToolContext): Promise<string> {
  const { disabled } = await sandbox.health({ signal })
  const notes = [
    disabled && 'Note: sandbox.disabled is set, so files outside of the workspace are not protected from what runs.',
    callers && 'Note: you work for another agent, so your programs have a network only as far as it may have one.',
  ]
  return notes.filter((note) => typeof note === 'string').join('\n')
}

/** How long reading a flood holds the event loop at a time, in milliseconds. */
const turnMs = 8
/** Pieces are short so that the offset in the line about what is left out is about right. */
const pieceBytes = 4_096

/**
 * The whole output of a process as the model reads it; shows it meanwhile. Secrets are masked before
 * anything is cut, so that no part of one is left at a cut.
 */
async function outputOf({ masks }: ProgramDependencies, process: SandboxProcess, context: ToolContext): Promise<string> {
  const mask = await masks.of(process.view().principal)
  const excerpt = createExcerpt()
  const plain = createPlainText()
  let end = 0
  let turnBegan = performance.now()
  for await (const { bytes, offset } of process.output({ from: 0, signal: context.signal })) {
    end = offset + bytes.byteLength
    for (let from = 0; from < bytes.byteLength; from += pieceBytes) {
      const text = mask.take(plain.take(bytes.subarray(from, from + pieceBytes)))
      excerpt.add(text, offset + from)
      if (text !== '') await context.output(text.replaceAll('\r', '\n'))
    }
    if (performance.now() - turnBegan > turnMs) {
      await setImmediate()
      turnBegan = performance.now()
    }
  }
  excerpt.add(mask.take(plain.end()) + mask.end(), end)
  const text = excerpt.text(
    ({ from, characters }) =>
      `[cut: ${characters} characters left out. Read them with read_process {"id":"${process.id}","offset":${from}} within the next hour, or run it again with its output in a file.]`,
  )
  return withoutOverwritten(text).trimEnd() || '(no output)'
}

const maxTitle = 200

function oneTitle(text: string): string {
  const line = visibleLine(text)
  return line.length <= maxTitle ? line : `${line.slice(0, maxTitle - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
