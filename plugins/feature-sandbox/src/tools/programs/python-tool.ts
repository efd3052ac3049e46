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

/** The agent's own Python if it has packages, else the machine's. */
const script = `exec 2>&1
machine=$1
shift
for python in "$HOME/.venv/bin/python" "$machine"; do
  if command -v "$python" >/dev/null 2>&1; then exec "$python" "$@"; fi
done
echo 'Python is not installed on this machine. Its operator can install python3.'
exit 127`

/** Runs Python. `python`: the program to look for. */
export function createPythonTool(
  dependencies: ProgramDependencies & { readonly packages: Pick<PackageEnvironments, 'repair'>; readonly python: string },
): Tool {
  const { packages, python } = dependencies
  return {
    specVersion: 1,
    name: 'python',
    title: 'Run Python',
    display: toolWords.python,
    description:
      'Runs Python code, or a Python file of your workspace, in a sandbox and returns its output (standard output and errors together) and exit code. Print what you want to see. Each call is a new process. Packages come from install_packages.',
    parameters: Type.Object({
      ...codeParameters('Python code', 'analysis.py'),
      ...runParameters,
      ...(dependencies.credentials && credentialParameters),
    }),
    effect: 'unsafe',
    readsWorkspace: true,
    timeoutMs: maxSeconds * 1_000,
    supports: { probe: false },
    ...codeScopes,
    purpose: (input) => purposeOf('Python', input),
    execute: (input, context) =>
      reported(context, async () => {
        const { code, file = '', given } = programOf(input)
        const note = await packages.repair('python', context)
        const result = await runProgram(
          dependencies,
          {
            kind: 'python',
            title: code ?? [file, ...given].join(' '),
            command: ['/bin/sh', '-c', script, 'python', python, ...(code === undefined ? [file] : ['-c', code]), ...given],
            searchPath: packagePaths,
            environment: { PYTHONUNBUFFERED: '1' },
          },
          input,
          context,
        )
        return withNote(result, note)
      }),
  }
}
