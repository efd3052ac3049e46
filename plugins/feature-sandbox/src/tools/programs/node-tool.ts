import { Type } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { credentialParameters } from '../../credentials/process-credentials.js'
import type { PackageEnvironments } from '../../packages/package-environments.js'
import { packagePaths } from '../../packages/package-kind.js'
import { reported } from '../common/calls.js'
import { toolWords } from '../common/tool-words.js'
import { codeScopes } from './call-scopes.js'
import { codeParameters, programOf, purposeOf } from './code-parameters.js'
import { maxSeconds, runParameters } from './run-parameters.js'
import { type ProgramDependencies, runProgram } from './run-program.js'
import { withNote } from './with-note.js'

/** The service's own Node.js, else the machine's. */
const script = `exec 2>&1
own=$1
shift
for node in "$own" node; do
  if command -v "$node" >/dev/null 2>&1; then exec "$node" "$@"; fi
done
echo 'Node.js cannot be run here: the sandbox does not reach the one that the service runs by. The operator can install nodejs for the whole machine.'
exit 127`

/** Code may be a module or a script; newer releases look at the code without being told. */
const detects = process.allowedNodeEnvironmentFlags.has('--experimental-detect-module') ? ['--experimental-detect-module'] : []

/** Runs Node.js. `node`: the program, absolute. */
export function createNodeTool(
  dependencies: ProgramDependencies & { readonly packages: Pick<PackageEnvironments, 'repair'>; readonly node: string },
): Tool {
  const { packages, node } = dependencies
  return {
    specVersion: 1,
    name: 'node',
    title: 'Run JavaScript',
    display: toolWords.node,
    description:
      'Runs JavaScript code (a module with import, or a script with require), or a file of your workspace, by Node.js in a sandbox and returns its output (standard output and errors together) and exit code. Print what you want to see with console.log. Each call is a new process. Packages come from install_packages.',
    parameters: Type.Object({
      ...codeParameters('JavaScript', 'report.mjs'),
      ...runParameters,
      ...(dependencies.credentials && credentialParameters),
    }),
    effect: 'unsafe',
    readsWorkspace: true,
    timeoutMs: maxSeconds * 1_000,
    supports: { probe: false },
    ...codeScopes,
    purpose: (input) => purposeOf('JavaScript', input),
    execute: (input, context) =>
      reported(context, async () => {
        const { code, file = '', given } = programOf(input)
        const note = await packages.repair('node', context)
        const what = code === undefined ? [file] : [...detects, '--eval', code, '--']
        const result = await runProgram(
          dependencies,
          {
            kind: 'node',
            title: code ?? [file, ...given].join(' '),
            command: ['/bin/sh', '-c', script, 'node', node, ...what, ...given],
            searchPath: packagePaths,
            environment: { NO_COLOR: '1' },
          },
          input,
          context,
        )
        return withNote(result, note)
      }),
  }
}
