import { definePlugin } from '@agent-service/sdk'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import { createCedarEngine } from './cedar-engine.js'

export { createCedarEngine } from './cedar-engine.js'

export default definePlugin({
  manifest: {
    id: 'policy-cedar',
    apiVersion: 1,
    description: 'Decides by policies in the Cedar language.',
    contributes: ['policy.engine'],
    permissions: [{ kind: 'process', reason: 'Runs Cedar in a process of its own, so that what breaks it breaks one decision alone.' }],
  },
  setup(context) {
    const { engine, close } = createCedarEngine()
    context.onDispose(close)
    context.contribute(policyEngines, engine)
  },
})
