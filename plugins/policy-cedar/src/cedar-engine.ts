import { definePolicyEngine, type PolicyEngine, type PolicyFile } from '@agent-service/sdk/contracts/policy-engine'
import { createEngineProcess, type EngineProcessOptions } from './engine-process.js'
import { schemaName } from './schema-name.js'

/**
 * Creates an engine that decides by Cedar, in a process that runs while there is work. `close` ends
 * the process; every later question fails.
 */
export function createCedarEngine(options?: EngineProcessOptions): { readonly engine: PolicyEngine; close(): Promise<void> } {
  const { run, start, close } = createEngineProcess(options)
  const engine = definePolicyEngine({
    id: 'cedar',
    title: 'Cedar',
    fileEndings: ['.cedar', '.cedarschema'],
    prepare: async () => start(),
    load: (request, { signal }) => run('load', request, { signal }),
    decide: (request, { signal }) => run('decide', request, { signal }),
    rehearse: (request, { signal }) => run('rehearse', request, { signal }),
    check: ({ files, text }, { signal }) => run('check', { files: files.filter(isSchema), text }, { signal, answerIfBroken: tooDeep }),
  })
  return { engine, close }
}

const isSchema = ({ name }: PolicyFile): boolean => name === schemaName

/** A single policy crashes Cedar only by exhausting its stack. */
const tooDeep = {
  outcome: 'refused',
  problems: [{ line: 1, column: 1, message: 'is nested too deeply for the engine' }],
} as const
