import { createRequire } from 'node:module'
import { openTestConfigurations } from '@agent-service/kernel/testing'
import { type Figure, median } from './figures.js'

const rounds = 25
const warmUp = 5
const entries = 200

/**
 * A large file from its text to values that every rule holds of, beside parsing the same text with
 * the library alone. In time of the processor: both are work of one thread, and on a shared machine
 * the wait for a file would say more of the others.
 */
export async function benchConfiguration(): Promise<readonly Figure[]> {
  // The copy of the library that the kernel itself reads with.
  const { parseDocument } = createRequire(import.meta.resolve('@agent-service/kernel/package.json'))('yaml') as {
    readonly parseDocument: (text: string) => { readonly errors: readonly unknown[] }
  }
  const yaml = largeFile()
  const environment = Object.fromEntries(Array.from({ length: entries }, (_, index) => [`KEY_${index}`, `key-${index}`]))
  const configurations = await openTestConfigurations()
  const ours: number[] = []
  const parsed: number[] = []
  try {
    for (let round = 0; round < warmUp + rounds; round += 1) {
      const began = processorMs()
      const { problems } = await configurations.load({ yaml, environment })
      const took = processorMs() - began
      if (problems.length > 0) throw new Error(`The file of the bench does not hold: ${JSON.stringify(problems[0])}`)

      const beganParsing = processorMs()
      const { errors } = parseDocument(yaml)
      const parsing = processorMs() - beganParsing
      if (errors.length > 0) throw new Error('The file of the bench cannot be parsed.')
      if (round < warmUp) continue
      ours.push(took)
      parsed.push(parsing)
    }
  } finally {
    await configurations.remove()
  }
  return [
    {
      what: `load, validate, compose ${yaml.split('\n').length - 1} lines`,
      ours: median(ours),
      unit: 'ms of processor',
      baseline: { name: 'yaml alone', value: median(parsed) },
      aim: { text: 'at most 3', met: median(ours) / median(parsed) <= 3 },
    },
  ]
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** 200 connections with keys from the environment, 200 groups with typed settings: 2,000 lines. */
function largeFile(): string {
  const connections = Array.from({ length: entries }, (_, index) =>
    [`  connection-${index}:`, '    provider: groq', `    api_key: \${KEY_${index}}`, '    enabled: true'].join('\n'),
  )
  const groups = Array.from({ length: entries }, (_, index) =>
    [
      `  group-${index}:`,
      `    provider: connection-${index}`,
      '    model: vendor/model',
      `    temperature: 0.${index % 10}`,
      '    retry:',
      '      max_retries: 3',
    ].join('\n'),
  )
  return ['providers:', ...connections, 'models:', ...groups, ''].join('\n')
}
