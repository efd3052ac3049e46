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
    activation: { at: 'start', reason: 'Decides what requests may do, from the first one on.' },
    permissions: [{ kind: 'process', reason: 'Runs Cedar in its own process, so that a crash fails only one decision.' }],
  },
  setup(context) {
    const { engine, close } = createCedarEngine()
    context.onDispose(close)
    context.contribute(policyEngines, engine)
  },
})
