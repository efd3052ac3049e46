import { definePlugin, type PluginManifest } from '@agent-service/sdk'
import { type EngineDecision, policyEngines } from '@agent-service/sdk/contracts/policy-engine'

export const engineManifest: PluginManifest = {
  id: 'policy-permissive',
  apiVersion: 1,
  description: 'Permits everything but lists of policies.',
  contributes: ['policy.engine'],
}

const denied: EngineDecision = { allowed: false, policyIds: [], errors: [] }
const permitted: EngineDecision = { ...denied, allowed: true }
const usable = { outcome: 'loaded', shipped: [], dependsOnUserIds: false } as const

export default definePlugin({
  manifest: engineManifest,
  setup(context) {
    context.contribute(policyEngines, {
      ...{ specVersion: 1, id: 'permissive', title: 'Permissive', fileEndings: ['.permissive'] },
      prepare: async () => undefined,
      load: async () => usable,
      decide: async ({ questions }) => ({
        outcome: 'decided',
        decisions: questions.map(({ resource }) => (resource.id === 'listPolicies' ? denied : permitted)),
      }),
      rehearse: async ({ questions }) => ({ ...usable, decisions: questions.map(() => permitted) }),
      check: async () => ({ outcome: 'sound', effect: 'permit', warnings: [] }),
    })
  },
})
