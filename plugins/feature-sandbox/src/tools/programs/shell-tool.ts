import { type JsonObject, Type, visibleLine } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { credentialParameters } from '../../credentials/process-credentials.js'
import type { PackageEnvironments } from '../../packages/package-environments.js'
import { packagePaths } from '../../packages/package-kind.js'
import { reported, textIn } from '../common/calls.js'
import { toolWords } from '../common/tool-words.js'
import { commandScopes, plainCall } from './call-scopes.js'
import { maxSeconds, runParameters } from './run-parameters.js'
import { type Program, type ProgramDependencies, runProgram } from './run-program.js'
import { withNote } from './with-note.js'

/**
 * Joins the streams, so that the order of what both say is kept. Bash takes an input that is a
 * socket for a connection from afar, and would run the .bashrc of the workspace first.
 */
const script = `exec 2>&1
if [ -x /bin/bash ]; then exec /bin/bash --norc -c "$1" bash; fi
exec /bin/sh -c "$1" sh`

/** A plain command runs without a shell, from the folders of the machine alone: what a person approved is what runs. */
const plainScript = `exec 2>&1
exec "$@"`

function programOf(command: string, input: JsonObject): Program {
  const plain = plainCall(input)
  const title = { kind: 'shell', title: command } as const
  return plain === undefined
    ? { ...title, command: ['/bin/sh', '-c', script, 'sh', command], searchPath: packagePaths }
    : { ...title, command: ['/bin/sh', '-c', plainScript, 'sh', ...plain.command] }
}

/** Runs a command line. */
export function createShellTool(dependencies: ProgramDependencies & { readonly packages: Pick<PackageEnvironments, 'repair'> }): Tool {
  return {
    specVersion: 1,
    name: 'shell',
    title: 'Run a command',
    display: toolWords.shell,
    description:
      'Runs a command line by bash (sh where there is none) in a sandbox, in your workspace, and returns its output (standard output and errors together) and exit code. Long output is cut in the middle. There is no terminal and no input: use options that ask nothing. Each call is a new shell; when it ends, everything it started ends too, so start servers with background: true. All your commands share one loopback. Use install_packages instead of pip and npm.',
    parameters: Type.Object({
      command: Type.String({ minLength: 1, maxLength: 30_000, description: 'The command line, of one or several lines.' }),
      ...runParameters,
      ...(dependencies.credentials && credentialParameters),
    }),
    effect: 'unsafe',
    readsWorkspace: true,
    timeoutMs: maxSeconds * 1_000,
    supports: { probe: false },
    ...commandScopes,
    purpose: (input) => `Run: ${visibleLine(textIn(input, 'command') ?? '')}`,
    execute: (input, context) =>
      reported(context, async () => {
        const command = textIn(input, 'command') ?? ''
        // A repair installs what a list in the workspace names; a plain command finds no packages.
        const repaired = plainCall(input) === undefined ? (['python', 'node'] as const) : []
        const notes = await Promise.all(repaired.map((kind) => dependencies.packages.repair(kind, context)))
        const result = await runProgram(dependencies, programOf(command, input), input, context)
        return notes.reduce(withNote, result)
      }),
  }
}
