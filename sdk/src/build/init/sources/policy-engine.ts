import { wordOf } from './names.js'
import type { PluginSources } from './plugin-sources.js'

/** An engine with a language of one line. */
export const policyEngineSources = (id: string): PluginSources => {
  const word = wordOf(id, 'policy')
  return {
    index: indexText(id, word),
    test: testText(word),
  }
}

const indexText = (id: string, word: string): string => `import { definePlugin } from '@agent-service/sdk'
import {
  definePolicyEngine,
  type EngineDecision,
  type EngineQuestion,
  type PolicyEffect,
  type PolicyEngine,
  type PolicySources,
  policyEngines,
} from '@agent-service/sdk/contracts/policy-engine'

interface Rule {
  readonly id: string
  readonly effect: PolicyEffect
  readonly action: string
  /** The id of the user whom it is about. Absent: of everyone. */
  readonly user: string | undefined
  readonly text: string
}

const problem = { line: 1, column: 1, message: 'expected “permit” or “forbid”, one action, and “by” with a user if it is about one' }

/** One policy is one line: \`permit read_file\`, \`forbid use_tool by user-1\`. */
function parse(id: string, text: string): Rule | undefined {
  const [, effect, action, user] = /^(permit|forbid) ([a-z_]+)(?: by (\\S+))?\\n?$/.exec(text) ?? []
  if (effect === undefined || action === undefined) return undefined
  return { id, text, action, user, effect: effect === 'permit' ? 'permit' : 'forbid' }
}

/**
 * Each file of the folder \`policy\` that ends with \`.${word}\` is one policy, as each stored one is. A problem names the
 * file, or the id of the stored policy.
 */
function read({ files, stored }: PolicySources) {
  const shipped = files.map(({ name, text }) => ({ where: name, rule: parse(name.replace('.${word}', ''), text) }))
  const rules = [...shipped, ...stored.map(({ id, text }) => ({ where: id, rule: parse(id, text) }))]
  const problems = rules.flatMap(({ where, rule }) => (rule === undefined ? [{ ...problem, where }] : []))
  const sound = rules.flatMap(({ rule }) => rule ?? [])
  const dependsOnUserIds = sound.some(({ user }) => user !== undefined)
  return { problems, rules: sound, dependsOnUserIds, shipped: sound.slice(0, files.length).map(described) }
}

const described = ({ id, text, effect, action }: Rule) => ({ id, text, effect, description: \`\${effect}s \${action}\` })

/** What no policy permits is denied, what one forbids too, and a question that does not fit, with the reason. */
function decide(rules: readonly Rule[], { principal, action, resource, entities }: EngineQuestion): EngineDecision {
  const missing = [principal, resource].find(({ type, id }) => !entities.some((entity) => entity.type === type && entity.id === id))
  if (missing) {
    const message = \`the entity of \${missing.type} “\${missing.id}” is missing\`
    return { allowed: false, policyIds: [], errors: [{ policyId: null, message }] }
  }
  const isMeant = ({ user }: Rule): boolean => user === undefined || (principal.type === 'User' && principal.id === user)
  const meant = rules.filter((rule) => rule.action === action && isMeant(rule))
  const forbidding = meant.filter(({ effect }) => effect === 'forbid')
  const deciding = forbidding.length > 0 ? forbidding : meant
  return { allowed: meant.length > 0 && forbidding.length === 0, policyIds: deciding.map(({ id }) => id).sort(), errors: [] }
}

export function createEngine(): PolicyEngine {
  let held: { readonly version: number; readonly rules: readonly Rule[] } | undefined
  return definePolicyEngine({
    id: '${word}',
    title: 'Lines',
    fileEndings: ['.${word}'],
    prepare: async () => undefined,
    async load({ version, sources }) {
      const { problems, rules, shipped, dependsOnUserIds } = read(sources)
      if (problems.length > 0) return { outcome: 'refused', problems }
      held = { version, rules }
      return { outcome: 'loaded', shipped, dependsOnUserIds }
    },
    async decide({ version, questions }) {
      const rules = held?.version === version ? held.rules : undefined
      return rules ? { outcome: 'decided', decisions: questions.map((question) => decide(rules, question)) } : { outcome: 'not_loaded' }
    },
    async rehearse({ sources, questions }) {
      const { problems, rules, shipped, dependsOnUserIds } = read(sources)
      if (problems.length > 0) return { outcome: 'refused', problems }
      const decisions = questions.map((question) => decide(rules, question))
      return { outcome: 'loaded', shipped, dependsOnUserIds, decisions }
    },
    async check({ text }) {
      const rule = parse('checked', text)
      return rule ? { outcome: 'sound', effect: rule.effect, warnings: [] } : { outcome: 'refused', problems: [problem] }
    },
  })
}

export default definePlugin({
  manifest: { id: '${id}', apiVersion: 1, contributes: ['policy.engine'] },
  setup(context) {
    context.contribute(policyEngines, createEngine())
  },
})
`

const testText = (word: string): string => `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { type EngineQuestion, policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import { createTestContext, describePolicyEngine } from '@agent-service/sdk/testing'
import plugin, { createEngine } from './index.js'

/** A user asks to write a file. The entities are what the policies may look at: the user and the file. */
const question = (id: string): EngineQuestion => ({
  principal: { type: 'User', id },
  action: 'write_file',
  resource: { type: 'File', id: 'notes' },
  context: {},
  entities: [
    { type: 'User', id, attributes: { role: 'user' }, parents: [] },
    { type: 'File', id: 'notes', attributes: {}, parents: [] },
  ],
})

// Every rule of the contract.
describePolicyEngine({
  name: '${word}',
  create: createEngine,
  example: {
    // A file that is always loaded. It says nothing about the two questions, so they are denied.
    files: [{ name: 'reading.${word}', text: 'permit read_file' }],
    questions: [question('ada'), question('eve')],
    // Policies as an administrator stores them: for both questions, against both, for the first alone.
    permit: 'permit write_file',
    forbid: 'forbid write_file',
    permitFirst: 'permit write_file by ada',
    // What the engine has to refuse, with the line and the column.
    bad: 'allow everything',
    // Policies as a deployment ships them: further files, for both questions and against both.
    permitFile: { name: 'writing.${word}', text: 'permit write_file' },
    forbidFile: { name: 'locked.${word}', text: 'forbid write_file' },
    // If the language looks at attributes or at the context, or if a policy can fail while it
    // decides, give byAttribute, byContext and failing too: the suite says what it leaves out.
  },
  runner,
})

runner.it('is set up', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  assert.equal(test.contributed(policyEngines)[0]?.id, '${word}')
  await test.dispose()
})
`
