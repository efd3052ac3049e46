import { type JsonObject, type Static, Type, visibleLine } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { exitWords, isFailure } from '../output/exit-words.js'
import { answer, reported } from '../tools/common/calls.js'
import { missingIn, type PackageEnvironments } from './package-environments.js'
import { packageName } from './package-kind.js'

const parameters = Type.Object({
  language: Type.Union([Type.Literal('python'), Type.Literal('node')]),
  packages: Type.Array(Type.String({ minLength: 1, maxLength: 300, pattern: packageName }), {
    minItems: 1,
    maxItems: 50,
    description:
      'As pip or npm names them: “requests”, “numpy==2.1.0”, “lodash@4”; or a file of your workspace: “./dist/tool-1.0-py3-none-any.whl”, “./tool-1.0.0.tgz”.',
  }),
})

/** Installs packages into the agent's own environment. */
export function createInstallPackagesTool(dependencies: {
  readonly packages: Pick<PackageEnvironments, 'install'>
  readonly timeoutMs: number
}): Tool {
  const { packages: environments, timeoutMs } = dependencies
  return {
    specVersion: 1,
    name: 'install_packages',
    title: 'Install packages',
    display: {
      icon: 'package',
      words: {
        en: {
          title: 'Install packages',
          ask: 'Install {packages}',
          running: 'Installing {packages}',
          done: 'Installed {packages}',
          failed: 'Could not install {packages}',
        },
        de: {
          title: 'Pakete installieren',
          ask: '{packages} installieren',
          running: 'Installiert {packages}',
          done: '{packages} installiert',
          failed: 'Konnte {packages} nicht installieren',
        },
      },
    },
    description:
      'Installs Python packages (by pip, into .venv of your workspace) or Node.js packages (by npm, into node_modules of your workspace), in the sandbox and by its network. Releases that are very new are left out, and no install scripts run. The tools python, node and shell then find them. The first call makes the environment.',
    parameters,
    effect: 'idempotent',
    approval: 'first_time',
    timeoutMs,
    supports: { probe: false },
    scopes: () => [],
    exactly: () => 'Exactly this call; what the packages contain may have changed by then',
    purpose: (input) => {
      const { language, packages } = input as Static<typeof parameters>
      return `Install for ${language === 'python' ? 'Python' : 'Node.js'}: ${visibleLine(packages.join(' '))}`
    },
    execute: (input: JsonObject, context) =>
      reported(context, async () => {
        const { language, packages } = input as Static<typeof parameters>
        const { exit, output, steps } = await environments.install(language, packages, context)
        if (!isFailure(exit)) return answer(false, `Installed: ${packages.join(', ')}.`, missingIn(steps), output)
        return answer(
          true,
          `The packages were not installed. ${exit.reason === 'exit' ? '' : exitWords(exit, 0)}`.trim(),
          lastStep(steps),
          output,
        )
      }),
  }
}

const lastStep = (steps: readonly string[]): string => (steps.length === 0 ? '' : `It failed at: ${steps.at(-1)}.`)
